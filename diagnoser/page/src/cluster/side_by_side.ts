// side_by_side.ts: which servers stand side by side, and in which order.
import type { Activity, ClusterNode, ColumnName } from "../api/types";
import { compareNatural } from "../grid/natural_order";
import { operationMix, type MixEntry } from "./activity";
import { roleKind, roleOrder } from "./roles";

/** Roles that have servers, the servers themselves first. */
export function serverRoles(nodes: readonly ClusterNode[]): string[] {
  const roles = [...new Set(nodes.map((node) => node.role))].filter((role) => roleKind(role) !== "client");
  return roles.sort((a, b) => roleOrder(a) - roleOrder(b) || compareNatural(a, b));
}

export type Order = ColumnName | "name";
export const ORDERS: readonly (readonly [Order, string])[] = [
  ["name", "Name"],
  ["load", "Disk requests"],
  ["cpu", "CPU"],
  ["metadata", "Metadata"],
  ["small_writes", "Small writes"],
  ["large_writes", "Large writes"],
  ["degree", "Degree"],
];

/** By name, or the largest reading first; what is not known comes last. */
export function orderNodes(
  nodes: readonly ClusterNode[],
  order: Order,
  value: (node: string) => number | null,
): ClusterNode[] {
  const byName = (a: ClusterNode, b: ClusterNode) => compareNatural(a.node, b.node);
  if (order === "name") return [...nodes].sort(byName);
  return [...nodes].sort((a, b) => {
    const [x, y] = [value(a.node), value(b.node)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a, b);
    return y - x || byName(a, b);
  });
}

/** One scale for all: the most requests a second that any size of any server has, and calls of any operation. */
export function commonScales(all: readonly Activity[]): { sizes: number; calls: number } {
  const sizes = all.flatMap(({ disks }) => (disks ? [...disks.read.sizes, ...disks.write.sizes] : []));
  const calls = all.flatMap(({ operations }) => operationMix(operations).map(({ rate }) => rate));
  return { sizes: Math.max(1e-9, ...sizes), calls: Math.max(1e-9, ...calls) };
}

/** Shares of the common scale instead of the server's own. */
export function scaledMix(operations: Activity["operations"], most: number): MixEntry[] {
  return operationMix(operations).map((entry) => ({ ...entry, share: entry.rate / most }));
}
