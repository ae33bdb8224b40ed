// distribution_path.ts: a histogram's outline as an SVG path.

/** Steps from the left edge to the right one; shares of `most` become heights of up to `height`. */
export function stepPath(shares: readonly number[], most: number, width: number, height: number): string {
  if (shares.length === 0 || most <= 0) return "";
  const step = width / shares.length;
  const y = (share: number) => (height - (share / most) * height).toFixed(2);
  let path = `M0 ${height}`;
  shares.forEach((share, i) => {
    path += `L${(i * step).toFixed(2)} ${y(share)}L${((i + 1) * step).toFixed(2)} ${y(share)}`;
  });
  return `${path}L${width} ${height}Z`;
}

/** The place of a value among the edges, 0 to 1. */
export function placeOf(value: number, edges: readonly number[]): number {
  const low = edges[0] ?? 0;
  const high = edges.at(-1) ?? 1;
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
}
