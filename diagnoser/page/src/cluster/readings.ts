// readings.ts: the latest reading of every node, in columns: what 10,000 nodes send twice a second must not
// make objects. A frame's bytes stay bytes; -1 is a value that is not known, -2 one that was not asked for.
import { dequantise } from "../api/scale";
import type { Places } from "../api/stream";
import type { Column, ColumnName, Frame } from "../api/types";

export const UNKNOWN = -1;
export const NOT_SENT = -2; // the node is off the screen, and the stream is of those that are on it

export class Readings {
  time = 0;
  version = -1; // of the cluster whose order of nodes the rows have
  partial = false; // of the nodes on the screen alone
  private columns = new Map<ColumnName, { column: Column; bytes: Int16Array }>();
  private order: Int16Array[] = []; // the columns in the order of a row
  private size = 0;

  /** Applies a frame of a stream of `places`; false when it cannot be used: no whole frame has come yet. */
  apply(frame: Frame, places: Places | null = null): boolean {
    if (frame.base) this.begin(frame, places);
    if (this.order.length === 0) return false;
    for (const row of frame.rows) this.applyRow(row);
    this.time = frame.time;
    return true;
  }

  private begin(frame: Frame, places: Places | null): void {
    this.version = frame.version ?? this.version;
    // Of a cluster of another version all rows are sent.
    const asked = places?.version === this.version ? places : null;
    this.partial = asked !== null;
    this.size = frame.rows.reduce((most, row) => Math.max(most, (row[0] ?? 0) + 1), asked?.nodes ?? 0);
    this.columns = new Map();
    this.order = (frame.columns ?? []).map((column) => {
      const bytes = new Int16Array(this.size).fill(asked ? NOT_SENT : UNKNOWN);
      for (const [first, last] of asked?.ranges ?? []) bytes.fill(UNKNOWN, first, last + 1);
      this.columns.set(column.name, { column, bytes });
      return bytes;
    });
  }

  private applyRow(row: readonly (number | null)[]): void {
    const place = row[0];
    // A row that names nobody, or a node the whole frame did not have, is of another cluster.
    if (place === null || place === undefined || place < 0 || place >= this.size) return;
    for (let i = 0; i < this.order.length; i += 1) {
      const bytes = this.order[i];
      if (bytes) bytes[place] = row[i + 1] ?? UNKNOWN;
    }
  }

  /** Whether the node's readings come with the stream. */
  isSent(place: number): boolean {
    return this.order[0]?.[place] !== NOT_SENT;
  }

  /** 0 to 255, UNKNOWN or NOT_SENT. `place`: of the node in the cluster. */
  byte(name: ColumnName, place: number): number {
    return this.columns.get(name)?.bytes[place] ?? UNKNOWN;
  }

  /** In the unit of the column; null when not known. */
  value(name: ColumnName, place: number): number | null {
    const found = this.columns.get(name);
    const byte = found?.bytes[place] ?? UNKNOWN;
    return found && byte >= 0 ? dequantise(found.column.scale, byte) : null;
  }

  column(name: ColumnName): Column | undefined {
    return this.columns.get(name)?.column;
  }

  /** All bytes of a column, for loops over all nodes; not to be kept over a frame. */
  bytes(name: ColumnName): Int16Array | undefined {
    return this.columns.get(name)?.bytes;
  }

  clear(): void {
    this.columns.clear();
    this.partial = false;
    this.order = [];
    this.size = 0;
  }
}
