// detail.ts: what the stream is asked for: the columns that are drawn at this size, of the nodes on the screen.
import type { Places } from "../api/stream";
import type { ColumnName } from "../api/types";
import type { Level } from "../grid/level";

export type Columns = readonly ColumnName[]; // none: all there are

export interface Detail {
  columns: Columns;
  places: Places | null; // null: all nodes
}

export const MAX_RANGES = 200; // the diagnoser takes 256
const MOST = 0.7; // of all nodes: the rest is not worth a stream of its own

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

/** null where all nodes are as good: nearly all, or so scattered that their list would be long. */
export function listPlaces(places: readonly number[], version: number, nodes: number): Places | null {
  if (places.length === 0 || places.length > nodes * MOST) return null;
  const ranges: [number, number][] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && place <= last[1] + 1) last[1] = place;
    else ranges.push([place, place]);
  }
  return ranges.length > MAX_RANGES ? null : { version, nodes, ranges };
}

/** As the stream takes it: "7:0-79,200". */
export function placesText({ version, ranges }: Places): string {
  const list = ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`));
  return `${version}:${list.join(",")}`;
}

/** Two streams of the same have the same. */
export function detailText({ columns, places }: Detail): string {
  return `${columns.join()} ${places ? placesText(places) : ""}`;
}

/** Whether a stream of `sent` has all that is wanted. */
export function holds(sent: Detail, wanted: Detail): boolean {
  return holdsColumns(sent.columns, wanted.columns) && holdsPlaces(sent.places, wanted.places);
}

function holdsColumns(sent: Columns, wanted: Columns): boolean {
  if (sent.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => sent.includes(name));
}

function holdsPlaces(sent: Places | null, wanted: Places | null): boolean {
  if (sent === null) return true;
  if (wanted?.version !== sent.version) return false;
  return wanted.ranges.every(([first, last]) =>
    sent.ranges.some(([from, to]) => from <= first && last <= to),
  );
}
