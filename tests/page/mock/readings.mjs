// readings.mjs: frames of the simulated cluster, quantised as the API does it.
import { tellsActivity } from "./activity.mjs";
import { CAUSES } from "./cluster.mjs";
import { hash, wave } from "./random.mjs";

const log = (low, high) => ({ kind: "log", low, high });
const percent = { kind: "linear", low: 0, high: 100 };
const bytes = log(100, 1e11);

export const COLUMNS = [
  {
    name: "load",
    unit: "requests/s",
    text: "I/O requests of its disks",
    scale: log(0.1, 1e6),
  },
  {
    name: "util",
    unit: "%",
    text: "share of time its busiest disk is busy",
    scale: percent,
  },
  { name: "space", unit: "%", text: "space used", scale: percent },
  { name: "disk_read", unit: "B/s", text: "read from its disks", scale: bytes },
  {
    name: "disk_write",
    unit: "B/s",
    text: "written to its disks",
    scale: bytes,
  },
  { name: "net_in", unit: "B/s", text: "received", scale: bytes },
  { name: "net_out", unit: "B/s", text: "sent", scale: bytes },
  {
    name: "metadata",
    unit: "operations/s",
    text: "metadata operations of its servers",
    scale: log(0.1, 1e6),
  },
  {
    name: "small_writes",
    unit: "s",
    text: "time of a small write at its disks",
    scale: log(1e-5, 100),
  },
  {
    name: "large_writes",
    unit: "s",
    text: "time of a large write at its disks",
    scale: log(1e-5, 100),
  },
  { name: "cpu", unit: "%", text: "share of time its processors are not idle", scale: percent },
  {
    name: "system_load",
    unit: "",
    text: "tasks that run or wait (load average of a minute)",
    scale: log(0.01, 1e4),
  },
  {
    name: "degree",
    unit: "",
    text: "how far from its peers; over 1: flagged",
    scale: log(0.01, 1000),
  },
  {
    name: "cause",
    unit: "",
    text: "root cause",
    scale: { kind: "index", low: 0, high: 4 },
  },
  {
    name: "up",
    unit: "",
    text: "answers",
    scale: { kind: "index", low: 0, high: 1 },
  },
];

export function quantise(scale, value) {
  if (value === null) return null;
  if (scale.kind === "index") return value;
  if (scale.kind === "linear") return Math.round((255 * (value - scale.low)) / (scale.high - scale.low));
  if (value <= 0) return 0;
  const part = Math.log(value / scale.low) / Math.log(scale.high / scale.low);
  return Math.min(255, Math.max(1, Math.round(1 + part * 254)));
}

function values(node, time, verdict) {
  if (!node.up) return Object.fromEntries(COLUMNS.map(({ name }) => [name, name === "up" ? 0 : null]));
  const w = wave(node.node, time);
  const busy = hash(node.node);
  const storage = node.role !== "client";
  const told = tellsActivity(node);
  const hog = verdict?.cause === "disk-hog";
  const slow = verdict?.cause === "disk-busy";
  const load = storage ? 140 * (0.7 + busy * 0.7) * (1 + 0.35 * w) * (hog ? 4 : slow ? 0.7 : 1) : 6 + 4 * w;
  return {
    load,
    util: Math.min(100, (storage ? 26 + 16 * w + busy * 8 : 4) + (hog || slow ? 58 : 0)),
    space: storage ? 40 + busy * 45 : null,
    disk_read: load * (hog ? 120e3 : 14e3),
    disk_write: load * 22e3 * (1 + 0.2 * w),
    net_in: 3e6 * (1 + 0.5 * w) * (0.6 + busy) * (verdict?.cause === "network-hog" ? 12 : 1),
    net_out: 2.1e6 * (1 - 0.5 * w) * (0.6 + busy) * (verdict?.cause === "packet-loss" ? 0.3 : 1),
    metadata: told ? 90 * busy * (1 + 0.4 * w) : null,
    small_writes: told ? 0.006 * (1 + 0.3 * w) * (slow ? 5 : 1) : null,
    large_writes: told ? 0.021 * (1 + 0.3 * w) * (slow ? 5 : 1) : null,
    cpu: storage ? 20 + 30 * busy + 10 * w : 8,
    system_load: storage ? 2 + 6 * busy + (slow ? 14 : 0) : 0.4,
    degree: verdict ? verdict.degree : 0.25 + 0.2 * w,
    cause: verdict ? CAUSES.indexOf(verdict.cause) : null,
    up: 1,
  };
}

export function active(cluster, time) {
  const marks = new Map();
  for (const verdict of cluster.verdicts) {
    if (verdict.begin <= time && (verdict.end === null || verdict.end > time))
      marks.set(verdict.node, verdict);
  }
  return marks;
}

/** All rows at an instant; `groups`: only nodes of these (none: all). */
export function rows(cluster, time, groups = []) {
  const marks = active(cluster, time);
  return cluster.nodes.flatMap((node, place) => {
    if (groups.length > 0 && !node.peer_groups.some((group) => groups.includes(group))) return [];
    const found = values(node, time, marks.get(node.node));
    return [[place, ...COLUMNS.map(({ name, scale }) => quantise(scale, found[name]))]];
  });
}

export function heat(cluster, to) {
  const steps = 120;
  const begin = Math.floor(to / 60) * 60 - steps * 60;
  const scale = log(0.01, 1000);
  return {
    begin,
    step_seconds: 60,
    steps,
    scale,
    nodes: cluster.nodes.map((node) => {
      const runs = [[0, steps, quantise(scale, 0.2 + 0.1 * hash(node.node))]];
      for (const one of cluster.verdicts) {
        if (one.node !== node.node) continue;
        const first = Math.max(0, Math.floor((one.begin - begin) / 60));
        const last = Math.min(steps, Math.ceil(((one.end ?? to) - begin) / 60));
        if (last > first) runs.push([first, last - first, quantise(scale, one.degree)]);
      }
      // A node that comes near the threshold now and then.
      if (hash(`${node.node}near`) > 0.8)
        runs.push([Math.floor(hash(node.node) * 110), 6, quantise(scale, 0.7)]);
      return { node: node.node, runs };
    }),
  };
}
