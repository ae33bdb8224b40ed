// domain.ts: which part of a column's range the colours spread over: what the cluster shows now, widened at once and
// narrowed slowly, so that one frame's outlier does not repaint everybody; never by what is on the screen alone.

const MIN_WIDTH = 48; // bytes; of a log scale about a factor of 20
const NARROW = 0.02; // of the distance a frame

export interface Domain {
  low: number;
  high: number;
}

export const WHOLE: Domain = { low: 0, high: 255 };

/** `partial`: of some of the nodes. */
export function observe(bytes: Int16Array, known: Domain | null, partial = false): Domain | null {
  const narrow = partial ? 0 : NARROW;
  let low = 256;
  let high = -1;
  for (const byte of bytes) {
    if (byte < 0) continue;
    if (byte < low) low = byte;
    if (byte > high) high = byte;
  }
  if (high < 0) return known;
  const wide = widen({ low, high });
  if (!known) return wide;
  return {
    low: wide.low < known.low ? wide.low : known.low + (wide.low - known.low) * narrow,
    high: wide.high > known.high ? wide.high : known.high + (wide.high - known.high) * narrow,
  };
}

function widen({ low, high }: Domain): Domain {
  const missing = MIN_WIDTH - (high - low);
  if (missing <= 0) return { low, high };
  const from = Math.min(Math.max(0, low - missing / 2), 255 - MIN_WIDTH);
  return { low: from, high: from + MIN_WIDTH };
}
