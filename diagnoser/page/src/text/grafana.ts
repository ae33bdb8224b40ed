// grafana.ts: the address of a server's dashboard (grafana/dashboards/server.json), over the time that the viewer looks at.
import type { Member } from "../api/types";

const AROUND = 1800; // seconds before and after

/** null: the diagnoser was not told where Grafana is (web.grafana). `span`: Unix seconds; null for now. */
export function dashboardOf(
  grafana: string | null | undefined,
  node: string,
  span: { begin: number; end: number } | null,
): string | null {
  if (!grafana || !/^https?:\/\//.test(grafana)) return null;
  const query = new URLSearchParams({ "var-node": node });
  if (span !== null) {
    query.set("from", String(Math.round((span.begin - AROUND) * 1000)));
    query.set("to", String(Math.round((span.end + AROUND) * 1000)));
  }
  return `${grafana}/d/limpet-server?${query.toString()}`;
}

/** Where a node's dashboard is and what the node is called there: of a federation, as its own diagnoser says. */
export function ownDashboard(
  grafana: string | null | undefined,
  members: readonly Member[] | null,
  node: string,
): { grafana: string | null | undefined; node: string } {
  if (members === null) return { grafana, node };
  const slash = node.indexOf("/");
  const member = members.find((one) => one.member === node.slice(0, slash));
  return { grafana: member?.grafana, node: node.slice(slash + 1) };
}
