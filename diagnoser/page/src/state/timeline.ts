// timeline.ts: verdicts as bars over the last hours, in as few lanes as do not overlap; where lanes run out, one bar
// stands for several.
import type { Verdict } from "../api/types";

export interface Bar {
  verdict: Verdict; // the first of them
  more: Verdict[]; // others that had no lane of their own
  lane: number;
  from: number; // 0 to 1 of the range
  to: number;
}

export interface Range {
  begin: number;
  end: number;
}

export const MAX_LANES = 4;

/** Bars within the range, by their begin; one that would need a lane beyond MAX_LANES joins the last bar of the last. */
export function layBars(verdicts: readonly Verdict[], range: Range): Bar[] {
  const span = range.end - range.begin;
  if (span <= 0) return [];
  const free: number[] = []; // when each lane is free again
  const bars: Bar[] = [];
  let last: Bar | null = null; // of the last lane
  for (const verdict of verdicts) {
    const end = verdict.end ?? range.end;
    if (end < range.begin || verdict.begin > range.end) continue;
    let lane = free.findIndex((until) => until <= verdict.begin);
    const part = (time: number) => Math.min(1, Math.max(0, (time - range.begin) / span));
    const crowded = lane < 0 && free.length === MAX_LANES;
    if (lane < 0) lane = Math.min(free.length, MAX_LANES - 1);
    free[lane] = Math.max(free[lane] ?? 0, end);
    if (crowded && last) {
      last.more.push(verdict);
      last.to = Math.max(last.to, part(end));
      continue;
    }
    const bar: Bar = { verdict, more: [], lane, from: part(verdict.begin), to: part(end) };
    if (lane === MAX_LANES - 1) last = bar;
    bars.push(bar);
  }
  return bars;
}

const STEPS: readonly number[] = [10, 30, 60, 300, 600, 1800, 3600, 7200, 21600, 86400];
const DAY = 86400;

/** Round instants for an axis, at most `most` of them. */
export function ticks(range: Range, most: number): number[] {
  if (range.end <= range.begin || most < 1) return [];
  const count = (step: number) => Math.floor(range.end / step) - Math.ceil(range.begin / step) + 1;
  let step = STEPS.find((candidate) => count(candidate) <= most) ?? 2 * DAY;
  while (count(step) > most) step += DAY;
  const first = Math.ceil(range.begin / step) * step;
  return Array.from({ length: Math.max(0, count(step)) }, (_, i) => first + i * step);
}
