// verdicts.ts: what is said about whom at an instant, from a history of verdicts.
import type { Verdict } from "../api/types";

export interface Marked {
  verdict: Verdict;
  secondary: boolean;
}

const MAX_KEPT = 5000;

/** Adds or replaces by id; keeps the order of their beginnings and at most MAX_KEPT, the latest. */
export function mergeVerdicts(known: readonly Verdict[], news: readonly Verdict[]): Verdict[] {
  const byId = new Map(known.map((verdict) => [verdict.id, verdict]));
  for (const verdict of news) byId.set(verdict.id, verdict);
  return [...byId.values()].sort((a, b) => a.begin - b.begin || (a.id < b.id ? -1 : 1)).slice(-MAX_KEPT);
}

export function activeAt(verdict: Verdict, time: number | null): boolean {
  if (time === null) return verdict.end === null;
  return verdict.begin <= time && (verdict.end === null || verdict.end > time);
}

/** The worst verdict of each node at an instant (null: now): an indictment before a secondary one, then by rank. */
export function marksAt(verdicts: readonly Verdict[], time: number | null): Map<string, Marked> {
  const marks = new Map<string, Marked>();
  for (const verdict of verdicts) {
    if (!activeAt(verdict, time)) continue;
    const mark = { verdict, secondary: verdict.secondary_to !== null };
    const other = marks.get(verdict.node);
    if (!other || worse(mark, other)) marks.set(verdict.node, mark);
  }
  return marks;
}

function worse(one: Marked, other: Marked): boolean {
  if (one.secondary !== other.secondary) return other.secondary;
  return one.verdict.rank < other.verdict.rank;
}

/** For lists: what goes on first, by rank; then what has ended, the latest first. */
export function listed(verdicts: readonly Verdict[], time: number | null): Verdict[] {
  const begun = verdicts.filter((verdict) => time === null || verdict.begin <= time);
  return begun.sort((a, b) => {
    const on = Number(activeAt(b, time)) - Number(activeAt(a, time));
    if (on !== 0) return on;
    if (!activeAt(a, time)) return (b.end ?? 0) - (a.end ?? 0);
    return Number(a.secondary_to !== null) - Number(b.secondary_to !== null) || a.rank - b.rank;
  });
}
