// evidence.mjs: series and evidence of the simulated cluster.
import { METRICS } from "./cluster.mjs";
import { hash, wave } from "./random.mjs";

const BASE = {
  await: 10,
  utilization: 30,
  read_bytes: 1.8e6,
  write_bytes: 3e6,
  receive_bytes: 3e6,
  transmit_bytes: 2.1e6,
};
const FAULT = {
  "disk-hog": { read_bytes: 7.9, utilization: 2.8, await: 3.2 },
  "disk-busy": { await: 6, utilization: 2.6 },
  "network-hog": { receive_bytes: 12 },
  "packet-loss": { transmit_bytes: 0.3 },
  behaviour: { utilization: 1.4 },
};

function valueAt(cluster, node, metric, time) {
  const fault = cluster.verdicts.find(
    (one) => one.node === node && one.begin - 90 <= time && (one.end === null || one.end > time),
  );
  const factor = fault ? (FAULT[fault.cause][metric] ?? 1) : 1;
  const steady = 0.9 + 0.2 * hash(node + metric);
  return BASE[metric] * steady * factor * (1 + 0.16 * wave(node + metric, time));
}

function peersAt(cluster, group, node, metric, time) {
  const peers = cluster.nodes
    .filter((one) => one.node !== node && one.peer_groups.includes(group))
    .slice(0, 12);
  return peers.map((one) => valueAt(cluster, one.node, metric, time)).sort((a, b) => a - b);
}

export function makeSeries(cluster, component, metric, from, to, step) {
  const node = component.component.replace(/\/sda$/, "");
  const time = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) time.push(at);
  const peers = time.map((at) => peersAt(cluster, component.peer_group, node, metric, at));
  const middle = (list) => list[Math.floor(list.length / 2)] ?? null;
  return {
    component: component.component,
    peer_group: component.peer_group,
    preset: "default",
    metric,
    unit: METRICS.find((one) => one.metric === metric).unit,
    step_seconds: step,
    time,
    value: time.map((at) => valueAt(cluster, node, metric, at)),
    peer_median: peers.map(middle),
    peer_low: peers.map((list) => list[0] ?? null),
    peer_high: peers.map((list) => list.at(-1) ?? null),
  };
}

export function nodeSeries(cluster, name, from, to) {
  const node = cluster.nodes.find((one) => one.node === name);
  if (!node) return null;
  const series = node.components.flatMap((component) => {
    const kind = component.peer_group.endsWith("disks") ? "storage" : "network";
    return METRICS.filter((metric) => metric.kind === kind).map((metric) =>
      makeSeries(cluster, component, metric.metric, from, to, 32),
    );
  });
  return { node: name, series };
}

function histogram(samples, edges) {
  const counts = new Array(edges.length - 1).fill(0);
  const width = edges[1] - edges[0];
  for (const sample of samples) {
    const bin = Math.min(counts.length - 1, Math.max(0, Math.floor((sample - edges[0]) / width)));
    counts[bin] += 1 / samples.length;
  }
  return counts;
}

function distributions(cluster, series, node) {
  const peers = series.time.flatMap((at) => peersAt(cluster, series.peer_group, node, series.metric, at));
  const low = Math.min(...series.value, ...peers);
  const high = Math.max(...series.value, ...peers);
  const edges = Array.from({ length: 33 }, (_, i) => low + ((high - low) * i) / 32);
  return {
    edges,
    component: histogram(series.value, edges),
    peers: histogram(peers, edges),
  };
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

function windows(verdict) {
  return Array.from({ length: 5 }, (_, i) => {
    const end = verdict.begin + (i - 2) * 32;
    const anomalous = i > 0;
    return {
      begin: end - 64,
      end,
      degree: anomalous ? verdict.degree * (0.7 + i * 0.075) : 0.6,
      threshold: 1,
      effect_ratio: anomalous ? 4.1 : 0.4,
      direction: "high",
      anomalous,
    };
  });
}

function evidenceMetric(cluster, verdict, component, metric, now) {
  const deciding = windows(verdict);
  const series = makeSeries(cluster, component, metric, verdict.begin - 160, verdict.begin + 64, 1);
  const own = mean(series.value.slice(-64));
  const peers = mean(series.peer_median.slice(-64));
  const group = cluster.nodes.filter((one) => one.peer_groups.includes(component.peer_group)).length - 1;
  const far = Math.max(1, group - 1);
  return {
    component: component.component,
    peer_group: component.peer_group,
    metric,
    unit: series.unit,
    scale: "",
    direction: own > peers ? "high" : "low",
    degree: verdict.degree,
    threshold: 1,
    threshold_origin: "default",
    effect_ratio: own / peers - 1,
    mean: own,
    peer_median: peers,
    peers: group,
    far,
    far_peers: [],
    near_peers: [],
    accumulator: 7,
    episodes: 2,
    text: `${metric} of ${component.component} ${(own / peers).toFixed(2)}× its peers`,
    background: `far from ${far} of ${group} peers; default threshold 1.00, exceeded in 4 windows`,
    windows: deciding,
    series,
    means: makeSeries(
      cluster,
      component,
      metric,
      verdict.begin - 5400,
      Math.min(now, verdict.begin + 1800),
      32,
    ),
    distributions: distributions(cluster, series, verdict.node),
  };
}

const CHECKLIST = [
  ["disk-hog", "Does it read or write more on its disk than the file system asks of it?"],
  ["disk-busy", "Do its disks answer later without doing more work?"],
  ["network-hog", "Does more pass its network than its peers'?"],
  ["packet-loss", "Are its connections' congestion windows small while its traffic is normal?"],
  ["behaviour", "Does it spend its time unlike its peers?"],
];
const NOT_SEEN = [
  "read and written like its peers",
  "no",
  "no: received and sent like its peers",
  "no",
  "no",
];
const FOUND = {
  "disk-hog": (node) =>
    `${node}/sda reads 14.2 MB/s, its peers 1.8; ${node} sends no more than they do: something on ${node} itself reads this disk.`,
  "disk-busy": (node) => `${node}/sda takes 60 ms a request, its peers 10 ms, with the same load.`,
  "network-hog": (node) => `${node} receives 36 MB/s, its peers 3.0.`,
  "packet-loss": (node) => `clients' windows to ${node} are 2.5 segments, to its peers 28.`,
  behaviour: (node) => `user CPU of ${node} is 92 %, of its peers 11 %.`,
};
const NEXT = {
  "disk-hog":
    "Find the process that reads: iotop -ao, pidstat -d 1. Stop it, or move it away from this disk.",
  "disk-busy": "Look at the kernel log and smartctl for sda; then replace the disk or its path.",
  "network-hog": "Find the connection: ss -tin, sar -n DEV 1.",
  "packet-loss": "Look at the port: ip -s link, ethtool -S; then change cable or transceiver.",
  behaviour: "See what it does: top, pidstat 1.",
};

export function makeEvidence(cluster, verdict, now) {
  const node = cluster.nodes.find((one) => one.node === verdict.node);
  const metrics = Object.keys(FAULT[verdict.cause]).map((metric) => {
    const wanted = METRICS.find((one) => one.metric === metric).kind === "storage" ? "disks" : "network";
    const component = node.components.find((one) => one.peer_group.endsWith(wanted));
    return evidenceMetric(cluster, verdict, component, metric, now);
  });
  const short = verdict.node.slice(0, 60);
  const decided = CHECKLIST.findIndex(([cause]) => cause === verdict.cause);
  return {
    verdict,
    metrics,
    checklist: CHECKLIST.slice(0, decided + 1).map(([cause, question], i) => ({
      step: i + 1,
      found: i === decided,
      decided: i === decided,
      text: `${question} ${i === decided ? FOUND[cause](short) : `${NOT_SEEN[i]}.`}`,
    })),
    facts: [`1 disk of 1 of ${short} is affected.`, "No other node of its rack is flagged."],
    next_step: NEXT[verdict.cause],
  };
}
