// sections.ts: which nodes stand together: those of one role that are compared in the same peer groups.
import type { Cluster, ClusterNode } from "../api/types";
import { compareNatural } from "../grid/natural_order";
import { displayName } from "../text/names";
import { roleOrder } from "./roles";

export interface SectionInfo {
  key: string;
  title: string;
  detail: string;
  nodes: number;
}

export function sectionKey(node: ClusterNode): string {
  return JSON.stringify([node.role, [...node.peer_groups].sort()]);
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

const TITLES: Record<string, string> = {
  "": "Other nodes",
  server: "Servers",
  client: "Clients",
  io: "I/O servers",
  mds: "Metadata servers",
  oss: "Object storage servers",
  osd: "Object storage daemons",
};

function roleTitle(role: string): string {
  const name = displayName(role);
  return TITLES[role] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

function describe(key: string, members: readonly ClusterNode[]): SectionInfo {
  const [role, groups] = JSON.parse(key) as [string, string[]];
  const compared = groups.length > 0 ? groups.map(displayName).join(", ") : "not compared";
  return {
    key,
    title: roleTitle(role),
    detail: `${plural(members.length, "node")} · ${compared}`,
    nodes: members.length,
  };
}

/** Sections in a fixed order: by role, then by the names of their groups. */
export function listSections(cluster: Cluster): SectionInfo[] {
  const members = new Map<string, ClusterNode[]>();
  for (const node of cluster.nodes) {
    const key = sectionKey(node);
    const known = members.get(key);
    if (known) known.push(node);
    else members.set(key, [node]);
  }
  const order = (key: string) => roleOrder((JSON.parse(key) as [string])[0]);
  return [...members]
    .sort(([a], [b]) => order(a) - order(b) || compareNatural(a, b))
    .map(([key, nodes]) => describe(key, nodes));
}
