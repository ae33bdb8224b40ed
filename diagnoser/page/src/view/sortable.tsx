// sortable.tsx: a table that sorts by its headings and shows long lists in parts.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toCsv } from "../text/csv";
import { downloadText } from "./download";
import { nextOrder, sortRows, type Cell, type Order } from "../state/table";

export interface TableColumn<T> {
  key: string;
  title: string;
  numeric?: boolean;
  cell: (row: T) => Cell;
  show?: (row: T) => ComponentChildren;
}

interface Props<T> {
  caption: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  initial: Order;
  file: string; // what a download of it is called
  part?: number; // rows at first, and with each "more"
}

const PART = 200;

export function Sortable<T>({ caption, columns, rows, rowKey, initial, file, part = PART }: Props<T>) {
  const [order, setOrder] = useState(initial);
  const [shown, setShown] = useState(part);
  const sorted = sortRows(
    rows,
    order,
    (row, key) => columns.find((column) => column.key === key)?.cell(row) ?? null,
  );
  return (
    <>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.key} class={column.numeric ? "numeric" : undefined}>
                  {column.show ? column.show(row) : String(column.cell(row) ?? "–")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        class="button more"
        onClick={() =>
          downloadText(
            toCsv(
              columns.map((column) => column.title),
              sorted.map((row) => columns.map((column) => column.cell(row))),
            ),
            file,
          )
        }
      >
        Download CSV
      </button>
      {rows.length > shown && (
        <button type="button" class="button more" onClick={() => setShown(shown + part)}>
          Show more ({rows.length - shown} left)
        </button>
      )}
    </>
  );
}

function Heading<T>({
  column,
  order,
  onOrder,
}: {
  column: TableColumn<T>;
  order: Order;
  onOrder: (order: Order) => void;
}) {
  const active = order.column === column.key;
  return (
    <th
      scope="col"
      aria-sort={active ? (order.falling ? "descending" : "ascending") : "none"}
      class={column.numeric ? "numeric" : undefined}
    >
      <button type="button" onClick={() => onOrder(nextOrder(order, column.key, column.numeric ?? false))}>
        {column.title}
        <span aria-hidden="true" class="sort-sign">
          {active ? (order.falling ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}
