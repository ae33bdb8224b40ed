// motion.ts: values glide to their next reading instead of jumping, so that the eye sees what changes.

const SETTLE_MS = 70; // time constant: there before the next reading comes

/** The next shown byte on the way to a target; -1 (not known) comes and goes at once. */
export function glide(shown: number, target: number, elapsedMs: number): number {
  if (target < 0 || shown < 0) return target;
  const next = target + (shown - target) * Math.exp(-elapsedMs / SETTLE_MS);
  return Math.abs(next - target) < 1.5 ? target : next;
}
