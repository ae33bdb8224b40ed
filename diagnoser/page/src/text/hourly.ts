// hourly.ts: rows of the hourly list [Kasick12 §4.3] in words: "20260131.04: 8 server-disks:io02/sdb 3 …" is which
// components had been flagged for how many windows more than not at the end of which hour (UTC).

export interface HourlyEntry {
  windows: number;
  group: string;
  component: string;
}

export interface HourlyRow {
  begin: number; // Unix seconds
  entries: HourlyEntry[];
}

const ROW = /^(\d{4})(\d\d)(\d\d)\.(\d\d): (.*)$/s;
// A name may hold anything, so an entry ends where the next one's number and group begin.
const ENTRY = /(\d+) ([^\s:]+):(.+?)(?=$| \d+ [^\s:]+:)/gs;

/** null for what is no row. */
export function readHourly(text: string): HourlyRow | null {
  const [, year, month, day, hour, rest] = ROW.exec(text) ?? [];
  if (rest === undefined) return null;
  const begin = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour)) / 1000;
  const entries = [...rest.matchAll(ENTRY)].map(([, windows, group = "", component = ""]) => ({
    windows: Number(windows),
    group,
    component,
  }));
  return { begin, entries };
}
