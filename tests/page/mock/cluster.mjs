// cluster.mjs: a simulated cluster: who is there, and what goes wrong when.

export const CAUSES = ["disk-hog", "disk-busy", "network-hog", "packet-loss", "behaviour"];
const HISTORY = 6 * 3600;

export const METRICS = [
  {
    metric: "await",
    name: "await",
    text: "time per request",
    unit: "ms",
    kind: "storage",
  },
  {
    metric: "utilization",
    name: "util",
    text: "share of time busy",
    unit: "%",
    kind: "storage",
  },
  {
    metric: "read_bytes",
    name: "rd_sec",
    text: "read",
    unit: "B/s",
    kind: "storage",
  },
  {
    metric: "write_bytes",
    name: "wr_sec",
    text: "written",
    unit: "B/s",
    kind: "storage",
  },
  {
    metric: "receive_bytes",
    name: "rxbyt",
    text: "received",
    unit: "B/s",
    kind: "network",
  },
  {
    metric: "transmit_bytes",
    name: "txbyt",
    text: "sent",
    unit: "B/s",
    kind: "network",
  },
];

/** Names that would break a page which treats them as markup. */
export const HOSTILE = [
  "<img src=x onerror=\"window.hacked='img'\">",
  "<script>window.hacked='script'</script>",
  "io\u202e70oi evil\u202c",
  "x".repeat(10_000),
  "\"><svg/onload=window.hacked='svg'>",
];

const pad = (number, width) => String(number).padStart(width, "0");

function names(count, hostile) {
  const servers = Math.max(1, Math.round(count * 0.74));
  const metadata = count >= 12 ? Math.max(2, Math.round(count * 0.03)) : 0;
  const width = String(count).length > 2 ? String(count).length : 2;
  const list = [];
  for (let i = 1; i <= servers; i += 1) list.push([`io${pad(i, width)}`, "server"]);
  for (let i = 1; i <= metadata; i += 1) list.push([`mds${pad(i, 2)}`, "metadata"]);
  for (let i = 1; list.length < count; i += 1) list.push([`client${pad(i, width)}`, "client"]);
  if (hostile) for (const name of HOSTILE) list.push([name, "server"]);
  return list.sort(([a], [b]) => (a < b ? -1 : 1));
}

function makeNode([node, role], place) {
  const groups = role === "client" ? ["client-network"] : [`${role}-disks`, `${role}-network`];
  const components = groups.map((group) =>
    group.endsWith("disks")
      ? { component: `${node}/sda`, device: "sda", peer_group: group }
      : { component: node, device: null, peer_group: group },
  );
  return {
    node,
    role,
    up: true,
    labels: { rack: `r${1 + Math.floor(place / 20)}` },
    peer_groups: groups,
    components,
  };
}

function peerGroups(nodes) {
  const counts = new Map();
  for (const node of nodes)
    for (const group of node.peer_groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].map(([peer_group, count]) => {
    const kind = peer_group.endsWith("disks") ? "storage" : "network";
    return {
      peer_group,
      preset: "default",
      kind,
      roles: [peer_group.split("-")[0]],
      metrics: METRICS.filter((metric) => metric.kind === kind).map((metric) => metric.metric),
      taking_part: count,
      missing: 0,
      masked: 0,
    };
  });
}

/** `now`: Unix seconds of the start; faults are placed before it. `replay`: a recording of half an hour. */
export function makeCluster({ nodes: count = 24, hostile = false, replay = false, now }) {
  const nodes = names(count, hostile).map(makeNode);
  if (count >= 12) nodes.filter((node) => node.role === "client").at(-1).up = false;
  const recording = replay ? { begin: now - 1800, end: now } : null;
  const servers = nodes
    .filter((node) => node.role === "server" && /^io\d/.test(node.node))
    .map((node) => node.node);
  return {
    version: 1,
    nodes,
    peer_groups: peerGroups(nodes),
    live: !replay,
    recording,
    verdicts: replay ? replayVerdicts(servers, recording) : liveVerdicts(servers, nodes, now, hostile),
    completeSince: recording?.begin ?? now - HISTORY * 0.92,
  };
}

const texts = {
  "disk-busy": (node) => `${node}: disk-busy (await of ${node}/sda 6.00× its peers, +50.0 ms)`,
  "disk-hog": (node) => `${node}: disk-hog (${node}/sda read 14.2 MB/s, its peers 1.8 MB/s)`,
  "network-hog": (node) => `${node}: network-hog (${node} received 25 MB/s, its peers 0.09 MB/s)`,
  "packet-loss": (node) => `${node}: packet-loss (congestion windows 2.5 segments, its peers' 28)`,
  behaviour: (node) => `${node}: behaviour (user CPU 92 %, its peers 11 %)`,
};

const REASONS = {
  "no-answer": "no page of it: connection refused",
  masked: "masked",
  "two-kinds": "peer group server-disks is in two by await: 4 of 8 components differ from the others",
  "too-few-peers": "fewer than three servers of peer group server-disks can be compared",
  "too-early": "first verdict possible at 2026-01-31T04:45:00Z",
  step: "step 60 s: preset default wants readings at most 5 s apart",
};

/** What /api/v1/judged says. `reasons`: why a server is not judged, by node; "*": of all. */
export function makeJudged({ nodes, verdicts }, reasons = {}, text = "") {
  const limping = new Set(verdicts.filter((one) => one.end === null).map((one) => one.node));
  const at = new Date("2026-01-31T04:45:00Z").getTime() / 1000;
  const servers = nodes
    .filter((node) => node.peer_groups.length > 0 && !limping.has(node.node))
    .flatMap(({ node }) => {
      const reason = reasons[node] ?? reasons["*"];
      if (!reason) return [];
      const first = reason === "too-early" ? at : null;
      const said = `not judged: ${REASONS[reason]}`;
      return [{ node, state: "not-judged", reason, text: said, compared: null, first_verdict: first }];
    });
  const all = nodes.filter((node) => node.peer_groups.length > 0).length;
  return {
    limps: limping.size,
    like_peers: all - limping.size - servers.length,
    not_judged: servers.length,
    in_no_group: nodes.length - all,
    first_verdict: servers.length === all ? (servers[0]?.first_verdict ?? null) : null,
    text: text || `${all - servers.length} of ${all} servers are judged`,
    servers,
  };
}

let ids = 0;
function verdict(node, cause, begin, end, more = {}) {
  ids += 1;
  return {
    id: pad((ids * 2654435761).toString(16), 16).slice(-16),
    node,
    preset: "default",
    cause,
    since: Math.round(begin - 75),
    named: Math.round(begin),
    begin: Math.round(begin),
    end: end === null ? null : Math.round(end),
    last: Math.round((end ?? begin + 96) - 32),
    indicted: true,
    secondary_to: null,
    rank: 1,
    degree: 7.2,
    reason: /\((.*)\)$/.exec(texts[cause](node.slice(0, 60)))[1],
    text: texts[cause](node.slice(0, 60)),
    ...more,
  };
}

function liveVerdicts(servers, nodes, now, hostile) {
  const pick = (part) => servers[Math.min(servers.length - 1, Math.floor(servers.length * part))];
  const list = [
    verdict(pick(0.8), "packet-loss", now - 5.1 * 3600, now - 4.4 * 3600, {
      degree: 2.5,
    }),
    verdict(pick(0.1), "network-hog", now - 4.6 * 3600, now - 4.2 * 3600, {
      degree: 11.3,
    }),
    verdict(pick(0.4), "disk-busy", now - 3.3 * 3600, now - 3.1 * 3600, {
      degree: 1.8,
    }),
    verdict(pick(0.65), "behaviour", now - 2.2 * 3600, now - 1.7 * 3600, {
      degree: 3.1,
    }),
    verdict(pick(0.2), "disk-hog", now - 1500, null, { degree: 8.4 }),
  ];
  if (servers.length >= 8) {
    list.push(
      verdict(pick(0.55), "packet-loss", now - 700, null, {
        rank: 2,
        degree: 2.1,
      }),
    );
    list.push(
      verdict(pick(0.2 + 1.01 / servers.length), "disk-busy", now - 640, null, {
        rank: 3,
        degree: 1.3,
        indicted: false,
        secondary_to: pick(0.2),
      }),
    );
  }
  if (hostile)
    list.push(
      ...HOSTILE.slice(0, 3).map((name, i) => verdict(name, CAUSES[i], now - 300, null, { rank: 4 + i })),
    );
  // A large cluster has more going on.
  for (let i = 0; i < Math.min(40, servers.length / 60); i += 1) {
    list.push(
      verdict(servers[(i * 97 + 31) % servers.length], CAUSES[i % 5], now - 900 - i * 60, null, {
        rank: 10 + i,
      }),
    );
  }
  return list.filter((one) => nodes.some((node) => node.node === one.node)).sort((a, b) => a.begin - b.begin);
}

function replayVerdicts(servers, { begin }) {
  const last = servers.at(-1);
  return [
    verdict(servers[1] ?? last, "disk-hog", begin + 420, begin + 900, {
      degree: 9.1,
    }),
    verdict(servers[4] ?? last, "packet-loss", begin + 1100, begin + 1500, {
      degree: 2.4,
    }),
  ];
}
