// filters.ts: which nodes are in focus. The others stay where they are and step back.
import type { ClusterNode } from "../api/types";
import type { Filters } from "./url";

export const ANY_CAUSE = "any";

export function isFiltered(filters: Filters): boolean {
  return (
    filters.text.trim() !== "" ||
    filters.groups.length > 0 ||
    filters.roles.length > 0 ||
    filters.causes.length > 0
  );
}

/** `cause`: what is said about the node, null for nothing. */
export function matches(node: ClusterNode, cause: string | null, filters: Filters): boolean {
  if (filters.roles.length > 0 && !filters.roles.includes(node.role)) return false;
  if (filters.groups.length > 0 && !node.peer_groups.some((group) => filters.groups.includes(group)))
    return false;
  if (filters.causes.length > 0) {
    if (cause === null) return false;
    if (!filters.causes.includes(ANY_CAUSE) && !filters.causes.includes(cause)) return false;
  }
  return matchesText(node, cause, filters.text);
}

/** Every word has to occur somewhere: in the name, a label, a device, the role or the cause. */
function matchesText(node: ClusterNode, cause: string | null, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const labels = Object.entries(node.labels).map(([key, value]) => `${key}=${value}`);
  const devices = node.components.map((component) => component.device ?? "");
  const all = [node.node, node.role, cause ?? "", ...labels, ...devices].join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}
