// activity.mjs: what the simulated nodes' disks and programs are asked for.
import { hash, wave } from "./random.mjs";

const STEP = 5;
const EDGES = Array.from({ length: 15 }, (_, i) => 512 * 2 ** i);

function sizes(often, at) {
  return [...EDGES, Infinity].map((_, i) => often * Math.exp(-((i - at) ** 2)));
}

export function makeActivity(cluster, name, from, to) {
  const node = cluster.nodes.find((one) => one.node === name);
  if (!node) return null;
  const time = [];
  for (let at = Math.ceil(from / STEP) * STEP; at <= to; at += STEP) time.push(at);
  const busy = hash(name);
  const told = node.role !== "client" && busy > 0.5;
  const slow = (at) =>
    cluster.verdicts.some((one) => one.node === name && one.begin <= at && (one.end ?? to) >= at) ? 5 : 1;
  const latency = (mean) => time.map((at) => (told ? mean * slow(at) * (1 + 0.3 * wave(name, at)) : null));
  const writes = latency(0.006);
  const large = latency(0.021);
  const direction = (often, at, small, big) => ({
    sizes: sizes(often, at),
    small: { rate: often * 0.8, seconds: small },
    large: { rate: often * 0.2, seconds: big },
  });
  return {
    node: name,
    time: time.at(-1) ?? null,
    disks: told
      ? {
          edges: EDGES,
          read: direction(30, 8, 0.004, 0.012),
          write: direction(60, 4, writes.at(-1), large.at(-1)),
        }
      : null,
    operations: told
      ? [
          { role: "server", operation: "open", rate: 60 * busy, seconds: 4e-5 },
          { role: "server", operation: "stat", rate: 28 * busy, seconds: 1e-5 },
          { role: "server", operation: "readdir", rate: 2 * busy, seconds: 9e-5 },
          { role: "server", operation: "write", rate: 60, seconds: 0.006 },
        ]
      : [],
    history: {
      time: told ? time : [],
      small_reads: told ? time.map(() => 0.004) : [],
      large_reads: told ? time.map(() => null) : [],
      small_writes: told ? writes : [],
      large_writes: told ? large : [],
      metadata: told ? time.map(() => 90 * busy) : [],
    },
  };
}
