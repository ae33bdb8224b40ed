// past.ts: the readings of the instant that the viewer has gone back to, or why there are none.
import type { Past } from "../api/types";
import { Readings } from "../cluster/readings";
import { displayName } from "../text/names";
import { formatClock } from "../text/units";

/** Diagnosers of a federation that have none of then; of many, how many. */
function without(missing: readonly string[]): string {
  if (missing.length === 0) return "";
  const names = missing.length > 3 ? `${missing.length} diagnosers` : missing.map(displayName).join(", ");
  return `, none of ${names}`;
}

export class PastReadings {
  readonly readings = new Readings();
  private answered: { at: number; begin: number; end: number; kept: boolean; text: string } | null = null;

  /** Whether an answer is there for this instant: nothing has to be asked. */
  isAnswered(at: number): boolean {
    const { answered } = this;
    if (answered === null) return false;
    return at === answered.at || (answered.kept && at >= answered.begin && at < answered.end);
  }

  /** Whether `readings` are those of this instant. */
  covers(at: number): boolean {
    return this.isAnswered(at) && this.answered?.kept === true;
  }

  take(at: number, past: Past): void {
    const { since, begin = at, end = at, frame, missing = [] } = past;
    const kept = frame !== undefined && this.readings.apply(frame);
    const clock = (time: number) => formatClock(time, false);
    const text = kept
      ? `means of ${clock(begin)} to ${clock(end)}${without(missing)}`
      : since === null
        ? "no readings of then are kept"
        : `readings are kept since ${clock(since)}`;
    this.answered = { at, begin, end, kept, text };
  }

  fail(at: number, reason: string): void {
    this.answered = { at, begin: at, end: at, kept: false, text: `readings of then: ${reason}` };
  }

  /** Of which time the readings are, or why there are none; empty: not known yet. */
  describe(at: number): string {
    return this.isAnswered(at) ? (this.answered?.text ?? "") : "";
  }
}
