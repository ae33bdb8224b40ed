// text_fit.ts: a text that fits into a width. Measuring is slow and names stay the same, so answers are kept.

const MAX_KEPT = 20_000;
const kept = new Map<string, string>();

/** With "…" at the end when it had to be cut. The context's font has to be set. */
export function fitText(c: CanvasRenderingContext2D, text: string, width: number): string {
  if (width <= 0) return "";
  const key = `${c.font}|${Math.round(width)}|${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const answer = cut(c, text, width);
  kept.set(key, answer);
  return answer;
}

/** The first of several texts that fits; empty when none does: half a unit is worse than none. */
export function firstFitting(c: CanvasRenderingContext2D, texts: readonly string[], width: number): string {
  return texts.find((text) => c.measureText(text).width <= width) ?? "";
}

/** Cut at the front: names of many nodes differ at their end. The context's font has to be set. */
export function fitTail(c: CanvasRenderingContext2D, text: string, width: number): string {
  if (c.measureText(text).width <= width) return text;
  const letters = Array.from(text);
  for (let from = 1; from < letters.length; from += 1) {
    const tail = `…${letters.slice(from).join("")}`;
    if (c.measureText(tail).width <= width) return tail;
  }
  return "";
}

function cut(c: CanvasRenderingContext2D, text: string, width: number): string {
  if (c.measureText(text).width <= width) return text;
  const letters = Array.from(text);
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (c.measureText(`${letters.slice(0, middle).join("")}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? `${letters.slice(0, low).join("")}…` : "";
}
