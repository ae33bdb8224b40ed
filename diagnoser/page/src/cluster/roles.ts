// roles.ts: what a role stands for. Roles are free words of the configuration; these are the usual ones.

export type RoleKind = "server" | "metadata" | "client" | "other";

// Servers that hold data, whatever a file system calls them.
const SERVERS = new Set(["server", "io", "data", "storage", "osd", "oss", "ost", "brick", "target"]);
const METADATA = new Set(["mds", "mdt", "mon", "mgr"]);
const ORDER: readonly RoleKind[] = ["server", "metadata", "other", "client"];

export function roleKind(role: string): RoleKind {
  if (SERVERS.has(role)) return "server";
  if (role.startsWith("meta") || METADATA.has(role)) return "metadata";
  return role === "client" ? "client" : "other";
}

/** Whose place on the map comes first: servers are what is diagnosed, clients come last but one, no role last. */
export function roleOrder(role: string): number {
  return role === "" ? ORDER.length : ORDER.indexOf(roleKind(role));
}
