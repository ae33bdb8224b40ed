// detail.ts: which columns the stream is asked for: those that are drawn at this size, and no more.
import type { ColumnName } from "../api/types";
import type { Level } from "../grid/level";

export type Columns = readonly ColumnName[]; // none: all there are

/** Cards show every reading; the smaller a node, the fewer. */
export function columnsAt(level: Level, colour: ColumnName): Columns {
  const drawn: Record<Level, Columns> = {
    card: [],
    glyph: ["net_in", "net_out", "space", "up", "util"],
    cell: ["up", "util"],
    tile: ["up"],
  };
  const columns = drawn[level];
  return columns.length === 0 ? [] : [...new Set([colour, ...columns])].sort();
}

/** Whether a stream of the columns `sent` has those that are wanted. */
export function holds(sent: Columns, wanted: Columns): boolean {
  if (sent.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => sent.includes(name));
}
