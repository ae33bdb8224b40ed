import assert from "node:assert/strict";
import test from "node:test";
import type { Cluster, ClusterNode } from "../../../diagnoser/page/src/api/types";
import { listSections } from "../../../diagnoser/page/src/cluster/sections";
import { fillScale } from "../../../diagnoser/page/src/grid/camera";
import { drawCard } from "../../../diagnoser/page/src/render/draw_card";
import { drawGlyph } from "../../../diagnoser/page/src/render/draw_glyph";
import { LIGHT } from "../../../diagnoser/page/src/render/palette";
import type { SceneNode } from "../../../diagnoser/page/src/render/renderer";
import { fitTail, firstFitting } from "../../../diagnoser/page/src/render/text_fit";
import { describeCause } from "../../../diagnoser/page/src/text/causes";
import { readHourly } from "../../../diagnoser/page/src/text/hourly";
import { shortForms } from "../../../diagnoser/page/src/text/units";
import { verdictMeaning } from "../../../diagnoser/page/src/text/verdict_words";

/** A canvas that remembers what was written on it; a letter is as wide as 0.6 of its height. */
function paper() {
  const written: string[] = [];
  const context = {
    font: "",
    measureText: (text: string) => ({
      width: text.length * 0.6 * Number(/([\d.]+)px/.exec(context.font)![1]),
    }),
    fillText: (text: string) => written.push(text),
  };
  const ignore = () => undefined;
  const c = new Proxy(context, {
    get: (target, key) => (key in target ? target[key as keyof typeof target] : ignore),
  });
  return { written, c: c as unknown as CanvasRenderingContext2D };
}

const scene = (change: Partial<SceneNode> = {}): SceneNode => ({
  name: "client017",
  x: 0,
  y: 0,
  shape: "square",
  opacity: 1,
  dimmed: false,
  down: false,
  mark: null,
  heat: null,
  colour: 3,
  util: 40,
  space: 60,
  netIn: 0.4,
  netOut: 0.3,
  texts: {
    shown: shortForms(1063.4, "requests/s"),
    netIn: shortForms(3_430_000, "B/s"),
    netOut: shortForms(2_910_000, "B/s"),
    all: [["received", "3.43 MB/s"]],
  },
  ...change,
});

test("roles of other file systems stand where those of ours do", () => {
  const roles = ["client", "osd", "gateway", "mds", "oss", ""];
  const nodes = roles.map((role) => ({ node: role, role, peer_groups: [] }) as unknown as ClusterNode);
  const titles = listSections({ nodes } as unknown as Cluster).map((section) => section.title);
  assert.deepEqual(titles, [
    "Object storage daemons",
    "Object storage servers",
    "Metadata servers",
    "Gateway",
    "Clients",
    "Other nodes",
  ]);
});

test("cards of every size show whole units or nothing", () => {
  for (let size = 116; size <= 720; size += 4) {
    const { c, written } = paper();
    drawCard(c, LIGHT, scene(), 0, 0, size, new Set());
    for (const text of written) assert.ok(!text.includes("…"), `${text} at ${size}`);
    if (size >= 126 && size < 300)
      assert.equal(written.filter((text) => /^[↓↑] [\d.]+ MB\/s$/.test(text)).length, 2, String(size));
  }
});

test("a glyph of every size has its name, whose end tells it from others", () => {
  for (let size = 40; size < 116; size += 1) {
    const { c, written } = paper();
    drawGlyph(c, LIGHT, scene(), 0, 0, size, new Set());
    assert.match(written.join(), size >= 58 ? /client/ : /017$/, String(size));
    const without = paper();
    drawGlyph(without.c, LIGHT, scene(), 0, 0, size, new Set(["names"] as const));
    assert.deepEqual(without.written, []);
  }
});

test("what does not fit is cut at the front, or left out", () => {
  const { c } = paper();
  c.font = "500 10px x";
  assert.equal(fitTail(c, "io015", 100), "io015");
  assert.equal(fitTail(c, "client017", 30), "…t017");
  assert.equal(fitTail(c, "client017", 3), "");
  assert.equal(firstFitting(c, ["3.43 MB/s", "3 MB/s"], 40), "3 MB/s");
  assert.equal(firstFitting(c, ["3.43 MB/s", "3 MB/s"], 20), "");
});

test("short forms keep the unit", () => {
  assert.deepEqual(shortForms(3_430_000, "B/s"), ["3.43 MB/s", "3.4 MB/s", "3 MB/s"]);
  assert.deepEqual(shortForms(1063, "requests/s"), [
    "1.06k requests/s",
    "1.1k requests/s",
    "1k requests/s",
    "1.1k/s",
    "1k/s",
  ]);
  assert.deepEqual(shortForms(null, "B/s"), ["–"]);
});

test("a node fills the smaller side of the window", () => {
  assert.equal(fillScale({ width: 900, height: 500 }), 500);
  assert.equal(fillScale({ width: 300, height: 500 }), 300);
});

test("rows of the hourly list are read, whatever names they hold", () => {
  assert.deepEqual(readHourly("20261126.04: 10 server-disks:io04/sda 3 oss disks:a"), {
    begin: Date.UTC(2026, 10, 26, 4) / 1000,
    entries: [{ windows: 10, group: "server-disks", component: "io04/sda 3 oss disks:a" }],
  });
  assert.deepEqual(readHourly("20261126.23: 10 d:io04/sda 3 n:io 5")?.entries, [
    { windows: 10, group: "d", component: "io04/sda" },
    { windows: 3, group: "n", component: "io 5" },
  ]);
  assert.equal(readHourly("nothing"), null);
  assert.deepEqual(readHourly("20261126.23: ")?.entries, []);
});

test("packet loss is explained by what decided", () => {
  assert.match(
    verdictMeaning({ cause: "packet-loss", reason: "retrans_client of io03 2.1 %" }),
    /sent again/,
  );
  assert.equal(
    verdictMeaning({ cause: "packet-loss", reason: "cwnd of io03" }),
    describeCause("packet-loss").meaning,
  );
  assert.equal(verdictMeaning({ cause: "disk-busy", reason: "retrans" }), describeCause("disk-busy").meaning);
});
