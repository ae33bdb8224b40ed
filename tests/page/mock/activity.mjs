// activity.mjs: what the simulated nodes' disks and programs are asked for.
import { hash, wave } from "./random.mjs";

const STEP = 5;
const EDGES = Array.from({ length: 15 }, (_, i) => 512 * 2 ** i);

function sizes(often, at) {
  return [...EDGES, Infinity].map((_, i) => often * Math.exp(-((i - at) ** 2)));
}

/** As when the collectors of block requests and system calls are on for metadata servers and half of the others. */
export function tellsActivity({ node, role }) {
  return role === "metadata" || (role !== "client" && hash(node) > 0.5);
}

/** Of a metadata server, and of one that holds data. */
function operationsOf({ role }, busy) {
  const metadata = [
    ["stat", 90, 1e-5],
    ["open", 40, 4e-5],
    ["create", 22, 2e-4],
    ["unlink", 9, 2e-4],
    ["readdir", 4, 9e-5],
    ["rename", 1.5, 3e-4],
  ];
  const data = [
    ["open", 60, 4e-5],
    ["stat", 28, 1e-5],
    ["readdir", 2, 9e-5],
    ["write", 60 / busy, 0.006],
  ];
  return (role === "metadata" ? metadata : data).map(([operation, rate, seconds]) => ({
    role: "server",
    operation,
    rate: rate * busy,
    seconds,
  }));
}

export function makeActivity(cluster, name, from, to) {
  const node = cluster.nodes.find((one) => one.node === name);
  if (!node) return null;
  const time = [];
  for (let at = Math.ceil(from / STEP) * STEP; at <= to; at += STEP) time.push(at);
  const busy = hash(name);
  const told = tellsActivity(node);
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
    operations: told ? operationsOf(node, busy) : [],
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
