// table.ts: sorting of rows; equal ones keep their order, and what is missing comes last either way.
import { compareNatural } from "../grid/natural_order";

export type Cell = string | number | boolean | null;

export interface Order {
  column: string;
  falling: boolean;
}

function compare(a: Cell, b: Cell): number {
  if (typeof a === "string" && typeof b === "string") return compareNatural(a, b);
  return Number(a) - Number(b);
}

export function sortRows<T>(rows: readonly T[], order: Order, cell: (row: T, column: string) => Cell): T[] {
  const sign = order.falling ? -1 : 1;
  return [...rows].sort((one, other) => {
    const a = cell(one, order.column);
    const b = cell(other, order.column);
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

/** A click on a heading: the same column turns round, another begins with what is worth seeing first. */
export function nextOrder(order: Order, column: string, fallingFirst: boolean): Order {
  return order.column === column ? { column, falling: !order.falling } : { column, falling: fallingFirst };
}
