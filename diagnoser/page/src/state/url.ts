// url.ts: everything the page shows is in its address, so that an alert or a colleague can link to it.
//
// /?node=io04                     the cluster with one node open
// /?evidence=ID                   one verdict's evidence
// /?view=incidents&days=90        the incidents of so many days
// /?incident=ID                   one incident, from its begin to what became of it
// /?node=io04&cause=disk-busy&evidence=1   the latest evidence on that node
// Unknown parameters are ignored; a wrong value counts as left out.

import type { ColumnName } from "../api/types";
import { ORDERS, type Order } from "../cluster/side_by_side";

export type ViewName = "cluster" | "nodes" | "servers" | "incidents" | "persistent";

export interface Filters {
  text: string;
  groups: string[];
  roles: string[];
  causes: string[]; // "any": with any verdict
}

export interface Address {
  view: ViewName;
  node: string | null;
  evidence: string | null; // an id, or "1" for the latest of `node`
  cause: string | null; // with evidence "1": the latest of that cause
  metric: string | null; // the metric shown in the evidence
  at: number | null; // an instant of the past; null: now
  speed: number; // replay only
  days: number; // of the incidents
  filters: Filters;
  kind: string | null; // the role whose servers stand side by side; null: the first
  order: Order; // of them
  colour: ColumnName; // what the nodes' colour shows
  hidden: Layer[];
  only: boolean; // nodes out of focus leave the map
  incident: string | null; // an incident's own page
  legend: boolean;
}

/** What of a node can be left out. */
export type Layer = "network" | "disk" | "heat" | "names";
export const LAYERS: readonly Layer[] = ["network", "disk", "heat", "names"];
export const COLOURS: readonly ColumnName[] = [
  "load",
  "cpu",
  "system_load",
  "util",
  "space",
  "disk_read",
  "disk_write",
  "net_in",
  "net_out",
  "metadata",
  "small_writes",
  "large_writes",
  "degree",
];

export const NO_FILTERS: Filters = { text: "", groups: [], roles: [], causes: [] };

export const HOME: Address = {
  view: "cluster",
  node: null,
  evidence: null,
  cause: null,
  metric: null,
  at: null,
  speed: 1,
  days: 30,
  filters: NO_FILTERS,
  kind: null,
  order: "name",
  colour: "load",
  hidden: [],
  only: false,
  incident: null,
  legend: false,
};

export const SPEEDS = [1, 5, 20, 60] as const;

const VIEWS: readonly string[] = ["cluster", "nodes", "servers", "incidents", "persistent"];

function number(text: string | null): number | null {
  if (text === null || text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

export function parseAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const view = query.get("view") ?? "cluster";
  const speed = number(query.get("speed"));
  const days = number(query.get("days"));
  return {
    view: VIEWS.includes(view) ? (view as ViewName) : "cluster",
    node: query.get("node") ?? null,
    evidence: query.get("evidence") ?? null,
    cause: query.get("cause"),
    metric: query.get("metric"),
    at: number(query.get("at")),
    speed: speed !== null && speed > 0 && speed <= 1000 ? speed : 1,
    days: days !== null && days >= 1 && days <= 3660 ? Math.round(days) : HOME.days,
    filters: {
      text: query.get("q") ?? "",
      groups: query.getAll("group"),
      roles: query.getAll("role"),
      causes: query.getAll("verdict"),
    },
    kind: query.get("kind"),
    order: ORDERS.find(([name]) => name === query.get("order"))?.[0] ?? "name",
    colour: COLOURS.find((name) => name === query.get("colour")) ?? "load",
    hidden: LAYERS.filter((layer) => query.get("hide")?.split(",").includes(layer)),
    only: query.get("only") === "1",
    incident: query.get("incident") ?? null,
    legend: query.get("legend") === "1",
  };
}

export function formatAddress(address: Address): string {
  const query = new URLSearchParams();
  const set = (key: string, value: string | null) => {
    if (value !== null && value !== "") query.set(key, value);
  };
  if (address.view !== "cluster") query.set("view", address.view);
  set("node", address.node);
  set("evidence", address.evidence);
  set("cause", address.cause);
  set("metric", address.metric);
  if (address.at !== null) query.set("at", String(Math.round(address.at)));
  if (address.speed !== 1) query.set("speed", String(address.speed));
  if (address.days !== HOME.days) query.set("days", String(address.days));
  set("q", address.filters.text);
  for (const group of address.filters.groups) query.append("group", group);
  for (const role of address.filters.roles) query.append("role", role);
  for (const cause of address.filters.causes) query.append("verdict", cause);
  set("kind", address.kind);
  if (address.order !== "name") query.set("order", address.order);
  if (address.colour !== "load") query.set("colour", address.colour);
  set("hide", address.hidden.join(","));
  if (address.only) query.set("only", "1");
  set("incident", address.incident);
  if (address.legend) query.set("legend", "1");
  const text = query.toString();
  return text ? `/?${text}` : "/";
}
