// days.ts: incidents of weeks and months, counted by the viewer's days, and read part by part.
import type { IncidentList, IncidentRow } from "../api/types";
import { describeCause, type Family } from "../text/causes";

export interface Day {
  begin: number; // midnight where the viewer is
  counts: Partial<Record<Family, number>>;
  total: number;
}

export const SPANS: readonly [days: number, name: string][] = [
  [1, "day"],
  [7, "week"],
  [30, "month"],
  [90, "quarter"],
  [365, "year"],
];

function midnight(time: number, daysLater = 0): number {
  const date = new Date(time * 1000);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime() / 1000;
}

/** The days from `begin` to `end`, each with the incidents that began in it, or before all of them. */
export function countByDay(rows: readonly IncidentRow[], begin: number, end: number): Day[] {
  const days: Day[] = [];
  for (let at = midnight(begin); at <= end; at = midnight(at, 1))
    days.push({ begin: at, counts: {}, total: 0 });
  for (const { since, cause } of rows) {
    if (since > end) continue;
    let day = days[0];
    for (const one of days) if (one.begin <= since) day = one;
    if (!day) continue;
    const { family } = describeCause(cause);
    day.counts[family] = (day.counts[family] ?? 0) + 1;
    day.total += 1;
  }
  return days;
}

export const MAX_PARTS = 20;

/** All incidents of a span, the latest part first; `tell` is told what there is after each, and whether it is all. */
export async function readParts(
  ask: (before?: string) => Promise<IncidentList>,
  tell: (rows: readonly IncidentRow[], whole: boolean) => void,
): Promise<void> {
  let rows: IncidentRow[] = [];
  let whole = false;
  for (let part = 0; part < MAX_PARTS && !whole; part += 1) {
    const { incidents, complete } = await ask(rows[0]?.id);
    rows = [...incidents, ...rows];
    whole = complete || incidents.length === 0;
    tell(rows, whole);
  }
}
