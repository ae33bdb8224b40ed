// csv.ts: tables for spreadsheets (RFC 4180).
import type { Cell } from "../state/table";

// A spreadsheet would take such a text for a formula, and names come from other machines.
const FORMULA = /^[=+\-@\t\r]/;

function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function toCsv(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [titles, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}
