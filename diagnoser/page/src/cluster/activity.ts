// activity.ts: what a node's disks and programs are asked for, ready to be drawn.
import type { Activity, Series } from "../api/types";

export interface SizeBar {
  label: string; // the largest size in it
  read: number; // requests a second
  write: number;
}

const KIB = 1024;

function sizeLabel(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  if (bytes < KIB * KIB) return `${bytes / KIB} KiB`;
  return `${bytes / KIB / KIB} MiB`;
}

/** Requests by size, without the empty sizes at both ends; empty when there were none. */
export function sizeBars(disks: NonNullable<Activity["disks"]>): SizeBar[] {
  const bars = disks.read.sizes.map((read, i) => ({
    label:
      disks.edges[i] === undefined ? `> ${sizeLabel(disks.edges.at(-1) ?? 0)}` : sizeLabel(disks.edges[i]),
    read,
    write: disks.write.sizes[i] ?? 0,
  }));
  const used = bars.map((bar) => bar.read + bar.write > 0);
  const first = used.indexOf(true);
  return first < 0 ? [] : bars.slice(first, used.lastIndexOf(true) + 1);
}

export interface MixEntry {
  operation: string;
  rate: number; // a second
  share: number; // of the most frequent one, 0 to 1
  seconds: number | null;
}

const MAX_MIX = 8;

/** The most frequent operations of the node's servers; of its clients when it has no servers. */
export function operationMix(operations: Activity["operations"]): MixEntry[] {
  const servers = operations.filter((one) => one.role === "server");
  const counted = (servers.length > 0 ? servers : operations)
    .filter((one) => one.rate > 0)
    .sort((a, b) => b.rate - a.rate)
    .slice(0, MAX_MIX);
  const most = counted[0]?.rate ?? 1;
  return counted.map(({ operation, rate, seconds }) => ({ operation, rate, seconds, share: rate / most }));
}

/** Small requests as the line, large ones in the place of the peers' median; null when there were none. */
export function latencySeries(history: Activity["history"], direction: "reads" | "writes"): Series | null {
  const small = history[`small_${direction}`];
  const large = history[`large_${direction}`];
  if (![...small, ...large].some((value) => value !== null)) return null;
  const none = history.time.map(() => null);
  return {
    component: "",
    peer_group: "",
    preset: "",
    metric: direction,
    unit: "s",
    step_seconds: 5,
    time: history.time,
    value: small,
    peer_median: large,
    peer_low: none,
    peer_high: none,
  };
}
