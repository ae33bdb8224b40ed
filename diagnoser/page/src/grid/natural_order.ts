// natural_order.ts: io2 before io10, the same in every browser and locale.

const PARTS = /(\d+)/;

export function compareNatural(left: string, right: string): number {
  const a = left.split(PARTS);
  const b = right.split(PARTS);
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const x = a[i] ?? "";
    const y = b[i] ?? "";
    if (x === y) continue;
    // Odd places hold the digits that the pattern captured.
    if (i % 2 === 1 && Number(x) !== Number(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return a.length - b.length;
}
