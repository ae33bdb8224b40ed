// server.mjs: the contract's API (docs/openapi.yaml) over a simulated cluster, and the page as the diagnoser serves it.
// For tests and measurements of the page; nothing of it is shipped.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { makeActivity } from "./activity.mjs";
import { CAUSES, makeCluster, makeJudged, METRICS } from "./cluster.mjs";
import { makeEvidence, nodeSeries } from "./evidence.mjs";
import { COLUMNS, heat, rows } from "./readings.mjs";

export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** options: members (of a federation, as /api/v1/members has them), silent (names of those that keep no readings), incidents (how many the history has), forgets (no readings of the past), grafana (its address), open (takes answers), nodes, hostile, replay, dist (folder of the bundle), port, churn (share of rows that change a frame). */
export async function startMock(options = {}) {
  const start = Date.now() / 1000;
  const mock = new Mock({ churn: 1, ...options }, start);
  const server = createServer((request, response) => mock.answer(request, response));
  await new Promise((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    mock,
    close: () => {
      mock.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

class Mock {
  constructor(options, start) {
    this.options = options;
    this.cluster = makeCluster({ ...options, now: start });
    this.streams = new Set();
    this.frameId = 0;
  }

  now() {
    return this.cluster.recording?.end ?? Date.now() / 1000;
  }

  /** Changes who is there, as a node that enters or leaves does. */
  change(edit) {
    edit(this.cluster);
    this.cluster.version += 1;
    for (const stream of this.streams) {
      stream.send("cluster", { version: this.cluster.version });
      stream.whole = true;
    }
  }

  /** Begins or replaces a verdict and tells all viewers. */
  say(verdict) {
    this.cluster.verdicts = [...this.cluster.verdicts.filter((one) => one.id !== verdict.id), verdict];
    for (const stream of this.streams) stream.send("verdict", verdict);
  }

  /** From now on servers are not judged, by node or "*". */
  judge(reasons, text) {
    this.reasons = reasons;
    this.judgedText = text;
  }

  stop() {
    for (const stream of this.streams) stream.close();
  }

  answer(request, response) {
    const url = new URL(request.url, "http://mock");
    const query = url.searchParams;
    const path = url.pathname;
    const evidence = /^\/api\/v1\/evidence\/([0-9a-f]{16})$/.exec(path);
    const number = (key, otherwise) => (query.has(key) ? Number(query.get(key)) : otherwise);
    if (path === "/api/v1/cluster") return this.json(response, this.describe());
    if (path === "/api/v1/verdicts")
      return this.json(response, this.history(number("from", 0), number("to", this.now())));
    if (path === "/api/v1/judged")
      return this.json(response, makeJudged(this.cluster, this.reasons, this.judgedText));
    if (path === "/api/v1/heat") return this.json(response, heat(this.cluster, number("to", this.now())));
    if (path === "/api/v1/top") return this.json(response, this.top());
    if (path === "/api/v1/precision")
      return this.json(response, {
        days: 90,
        precision: [
          { cause: "disk-busy", metric: null, right: 11, wrong: 1, precision: 11 / 12 },
          { cause: "disk-busy", metric: "await", right: 11, wrong: 0, precision: 1 },
        ],
      });
    if (path === "/api/v1/incidents") return this.json(response, this.incidents(query, number));
    const answered = /^\/api\/v1\/incidents\/([^/]+)\/answer$/.exec(path);
    if (answered) return this.takeAnswer(request, response, answered[1]);
    if (path === "/api/v1/frame") return this.json(response, this.wholeFrame());
    if (path === "/api/v1/past") return this.json(response, this.past(number("at", this.now())));
    if (path === "/api/v1/members" && this.options.members)
      return this.json(response, { members: this.options.members });
    const incident = /^\/api\/v1\/incidents\/([^/]+)$/.exec(path);
    if (incident) return this.json(response, this.incident(incident[1]));
    if (path === "/api/v1/groups") return this.json(response, this.groups());
    if (path === "/api/v1/series") {
      const to = number("to", this.now());
      return this.json(response, nodeSeries(this.cluster, query.get("node"), number("from", to - 3600), to));
    }
    if (path === "/api/v1/activity") {
      const to = number("to", this.now());
      return this.json(response, makeActivity(this.cluster, query.get("node"), number("from", to - 600), to));
    }
    if (evidence || path === "/api/v1/evidence") return this.evidence(response, evidence?.[1], query);
    if (path === "/api/v1/stream") return this.stream(response, query);
    return this.file(response, path);
  }

  json(response, body) {
    if (body === null) return this.refuse(response, 404, "not_found", "nothing of that name is known");
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  }

  refuse(response, status, error, reason) {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ error, reason }));
  }

  file(response, path) {
    const document = /^\/(playbooks|docs(\/[\w-]+)?)$/.test(path);
    const name = path === "/" ? "index.html" : `${path.slice(1)}${document ? ".html" : ""}`;
    if (!document && !/^(index\.html|assets\/[\w.]+)$/.test(name))
      return this.refuse(response, 404, "not_found", "no such path");
    try {
      const body = readFileSync(join(this.options.dist ?? "dist", name));
      response.writeHead(200, {
        "Content-Type": TYPES[name.split(".").at(-1)],
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
      });
      response.end(body);
    } catch {
      this.refuse(response, 404, "not_found", "no such path");
    }
  }

  describe() {
    const { nodes, peer_groups, version, live, recording } = this.cluster;
    const presets = [
      {
        preset: "default",
        step_seconds: 1,
        window_seconds: 64,
        shift_seconds: 32,
        k: 3,
        named_after: [{ times_peers: 1.25, usual_seconds: 112, most_seconds: 160 }],
      },
    ];
    const { members } = this.options;
    return {
      ...(members ? { members: members.map((one) => one.member) } : {}),
      time: this.now(),
      version,
      program: "0.0.0-mock",
      grafana: this.options.grafana ?? null,
      live,
      recording,
      presets,
      nodes,
      peer_groups,
      metrics: METRICS,
      causes: CAUSES,
    };
  }

  history(from, to) {
    const verdicts = this.cluster.verdicts.filter(
      (one) => (one.end === null || one.end >= from) && one.begin <= to,
    );
    return { from, to, complete_since: this.cluster.completeSince, verdicts };
  }

  evidence(response, id, query) {
    const at = query.has("at") ? Number(query.get("at")) : Infinity;
    const found = this.cluster.verdicts.filter((one) =>
      id
        ? one.id === id
        : one.node === query.get("node") &&
          (!query.has("cause") || one.cause === query.get("cause")) &&
          one.begin <= at,
    );
    const verdict = found.at(-1);
    if (!verdict)
      return this.refuse(
        response,
        404,
        "not_found",
        "no evidence of that id is kept: it may be older than the history (publish.history)",
      );
    return this.json(response, makeEvidence(this.cluster, verdict, this.now()));
  }

  /** As many as the option `incidents` says, twenty a day back from an hour ago; the latest part of them that is asked for. */
  incidents(query, number) {
    const now = this.now();
    const first = query.get("before") ? parseInt(query.get("before"), 16) : 0;
    const all = Array.from({ length: (this.options.incidents ?? 0) - first }, (_, i) =>
      this.incidentRow(first + i + 1, now - 3600 - (first + i) * 4320),
    ).filter(({ since, ended }) => since <= number("to", now) && ended >= number("from", 0));
    const incidents = all.slice(0, number("limit", 1000)).reverse();
    return { complete: incidents.length === all.length, incidents };
  }

  olderIncident(place) {
    if (!(place >= 1 && place <= (this.options.incidents ?? 0))) return null;
    const row = this.incidentRow(place, this.now() - 3600 - (place - 1) * 4320);
    return { schema: "limpet.verdict.v1", ...row, answers: [] };
  }

  incidentRow(place, since) {
    const { node } = this.cluster.nodes[(place * 7) % this.cluster.nodes.length];
    const cause = CAUSES[place % CAUSES.length];
    const id = place.toString(16).padStart(16, "0");
    const times = { since, named: since + 30, last: since + 1800, ended: since + 1900 };
    const how = { state: "ended", ending: "like its peers", degree: 3.2, episodes: 1 };
    const what = {
      cluster: "",
      node,
      cause,
      family: "storage",
      indicted: true,
      preset: "default",
      metric: "await",
    };
    return { id, ...what, ...times, ...how, text: `${node}: ${cause}` };
  }

  /** As limpet.verdict.v1 has it, with what was done about it. */
  incident(id) {
    const verdict = this.cluster.verdicts.find((one) => one.id === id);
    if (!verdict) return this.olderIncident(parseInt(id, 16));
    const { node, cause, since, named, last, end, indicted, text, reason, degree } = verdict;
    const answer = { at: named + 60, as: "known", until: null, note: "a rebuild of md0", by: "ann" };
    return {
      ...{ schema: "limpet.verdict.v1", id, node, cause, since, named, last, indicted, text, degree },
      ended: end,
      ending: end === null ? "" : "like its peers again",
      episodes: 2,
      evidence: [{ component: `${node}/sda`, metric: "await", text: reason }],
      facts: [{ text: "md0 is rebuilding", next_step: "" }],
      next_step: "On the server, look at /proc/mdstat.",
      answers: [answer, ...(this.answers?.[id] ?? [])],
    };
  }

  wholeFrame() {
    const time = this.now();
    const { version } = this.cluster;
    const frame = { time, base: true, version, columns: COLUMNS, rows: rows(this.cluster, time, []) };
    return { now: Date.now() / 1000, frame };
  }

  /** Minutes of the last two hours, unless the option `forgets` is set. */
  past(at) {
    const minute = (time) => Math.floor(time / 60) * 60;
    const since = this.options.forgets ? null : minute(this.now()) - 7200;
    if (since === null || at < since) return { since };
    const begin = Math.min(minute(at), minute(this.now()) - 60);
    const { version } = this.cluster;
    const time = begin + 60;
    const frame = { time, base: true, version, columns: COLUMNS, rows: rows(this.cluster, begin, []) };
    const { members, silent } = this.options;
    return { since, begin, end: time, frame, ...(members ? { missing: silent ?? [] } : {}) };
  }

  /** As the diagnoser: JSON from its own page, and only with authentication (option open). */
  takeAnswer(request, response, id) {
    const { method, headers } = request;
    if (method !== "POST") return this.refuse(response, 405, "method_not_allowed", "expected POST");
    if (!this.options.open)
      return this.refuse(response, 403, "forbidden", "answers are taken over HTTP only with passwords");
    if (headers["content-type"] !== "application/json" || headers["sec-fetch-site"] !== "same-origin")
      return this.refuse(response, 415, "unsupported", "expected Content-Type: application/json");
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      const { as, note = "", until = null } = JSON.parse(body);
      const answer = { at: this.now(), as, until, note, by: "ops" };
      this.answers = { ...this.answers, [id]: [...(this.answers?.[id] ?? []), answer] };
      this.json(response, answer);
    });
  }

  groups() {
    const groups = this.cluster.peer_groups.map(({ peer_group, taking_part }) => ({
      peer_group,
      preset: "default",
      window_end: this.now(),
      taking_part,
      missing: 0,
      masked: 0,
      storms: [],
    }));
    const kinds = "12 disks in two kinds: sda (system), sdb (data)";
    return { groups, disk_kinds: [{ peer_group: "server-disks", kinds, alone: [] }] };
  }

  top() {
    const persistent = this.cluster.verdicts.map((one, i) => ({
      preset: "default",
      metric: ["await", "read_bytes", "utilization"][i % 3],
      peer_group: "server-disks",
      component: `${one.node}/sda`,
      accumulator: 3 + ((i * 7) % 40),
      flagged: one.end === null,
      degree: one.degree,
      cause: one.cause,
      kind: i % 2 ? "workload" : "component",
    }));
    const stamp = (hours) =>
      new Date((this.now() - hours * 3600) * 1000)
        .toISOString()
        .slice(0, 13)
        .replaceAll("-", "")
        .replace("T", ".");
    const first = persistent[0]?.component ?? "";
    const hourly = ["await", "read_bytes"].map((metric) => ({
      preset: "default",
      metric,
      rows: Array.from(
        { length: 24 },
        (_, i) => `${stamp(23 - i)}: ${3 + ((i * 5) % 9)} server-disks:${first}`,
      ),
    }));
    return { window_ends: { default: this.now() }, persistent, hourly };
  }

  stream(response, query) {
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
    });
    response.write("retry: 2000\n\n");
    const stream = new Stream(this, response, query);
    this.streams.add(stream);
    response.on("close", () => stream.close());
  }
}

class Stream {
  constructor(mock, response, query) {
    this.mock = mock;
    this.response = response;
    this.groups = query.getAll("group");
    this.columns = query.get("columns")?.split(",") ?? [];
    this.places = query.get("places"); // of the nodes on the screen, such as "7:0-79,200"
    this.bytes = 0; // sent
    this.rows = 0; // of the last frame
    this.rate = Number(query.get("rate") ?? 2);
    this.speed = Number(query.get("speed") ?? 1);
    this.time = query.has("from") ? Number(query.get("from")) : mock.now();
    this.whole = true;
    this.timer = setInterval(() => this.tick(), 1000 / this.rate);
    this.tick(0);
  }

  tick(elapsed = 1 / this.rate) {
    const { recording } = this.mock.cluster;
    if (!recording) this.time = this.mock.now();
    else this.time += elapsed * this.speed;
    this.frame();
    if (recording && this.speed === 0) clearInterval(this.timer);
    if (recording && this.time >= recording.end) {
      this.send("end", { time: recording.end });
      clearInterval(this.timer);
    }
  }

  frame() {
    const { cluster, options } = this.mock;
    let list = rows(cluster, this.time, this.groups).filter(([place]) => this.wants(place));
    if (!this.whole && options.churn < 1)
      list = list.filter((_, i) => (i + this.mock.frameId) % Math.round(1 / options.churn) === 0);
    const sent = COLUMNS.map(({ name }, i) => ({ name, i })).filter(
      ({ name }) => this.columns.length === 0 || this.columns.includes(name),
    );
    list = list.map((row) => [row[0], ...sent.map(({ i }) => row[i + 1])]);
    const columns = sent.map(({ i }) => COLUMNS[i]);
    const base = this.whole ? { version: cluster.version, columns } : {};
    this.mock.frameId += 1;
    this.rows = list.length;
    this.send("frame", { time: this.time, base: this.whole, ...base, rows: list }, this.mock.frameId);
    this.whole = false;
  }

  wants(place) {
    const [version, ranges] = this.places?.split(":") ?? [];
    if (Number(version) !== this.mock.cluster.version) return true;
    return ranges.split(",").some((range) => {
      const [first, last = first] = range.split("-").map(Number);
      return first <= place && place <= last;
    });
  }

  send(event, data, id) {
    const text = `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    this.bytes += text.length;
    this.response.write(text);
  }

  close() {
    clearInterval(this.timer);
    this.mock.streams.delete(this);
    this.response.end();
  }
}
