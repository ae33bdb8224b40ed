import assert from "node:assert/strict";
import test from "node:test";
import { dequantise, quantise } from "../../../diagnoser/page/src/api/scale";
import { streamAddress } from "../../../diagnoser/page/src/api/stream";
import type { Column, Frame, Verdict } from "../../../diagnoser/page/src/api/types";
import { CELLS, HeatStrips } from "../../../diagnoser/page/src/cluster/heat";
import { NOT_SENT, Readings, UNKNOWN } from "../../../diagnoser/page/src/cluster/readings";
import { listed, marksAt, mergeVerdicts } from "../../../diagnoser/page/src/cluster/verdicts";

const log = { kind: "log", low: 0.01, high: 1000 } as const;
const percent = { kind: "linear", low: 0, high: 100 } as const;
const columns: Column[] = [
  { name: "util", unit: "%", text: "busy", scale: percent },
  { name: "degree", unit: "", text: "degree", scale: log },
];
const base = (rows: (number | null)[][]): Frame => ({
  time: 100,
  base: true,
  version: 3,
  columns,
  rows,
});

test("bytes stand for what the scale says", () => {
  assert.equal(dequantise(percent, 255), 100);
  assert.equal(dequantise(log, 0), 0);
  assert.equal(dequantise(log, 1), 0.01);
  assert.ok(Math.abs(dequantise(log, 255) - 1000) < 1e-6);
  assert.equal(dequantise({ kind: "index", low: 0, high: 4 }, 3), 3);
  assert.ok(dequantise(log, quantise(log, 1)) >= 1);
});

test("a frame changes only the rows it has", () => {
  const readings = new Readings();
  assert.ok(
    readings.apply(
      base([
        [0, 51, 20],
        [1, 102, null],
      ]),
    ),
  );
  assert.equal(readings.value("util", 0), 20);
  assert.equal(readings.value("degree", 1), null);
  readings.apply({ time: 100.5, base: false, rows: [[1, null, 30]] });
  assert.equal(readings.byte("util", 1), UNKNOWN);
  assert.equal(readings.byte("util", 0), 51);
  assert.equal(readings.time, 100.5);
});

test("nothing is taken before a whole frame", () => {
  const readings = new Readings();
  assert.equal(readings.apply({ time: 1, base: false, rows: [[0, 1, 1]] }), false);
  assert.equal(readings.value("util", 0), null);
});

test("rows of nodes that the whole frame did not have are ignored", () => {
  const readings = new Readings();
  readings.apply(base([[0, 1, 1]]));
  readings.apply({
    time: 2,
    base: false,
    rows: [[7, 9, 9], [-1, 9, 9], [null, 9, 9], []],
  });
  assert.equal(readings.byte("util", 0), 1);
  assert.equal(readings.byte("util", 7), UNKNOWN);
});

test("off the screen is not the same as not known", () => {
  const places = { version: 3, nodes: 6, ranges: [[1, 2] as const, [4, 4] as const] };
  const readings = new Readings();
  readings.apply(base([[1, 51, 20]]), places);
  assert.equal(readings.partial, true);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((place) => readings.byte("util", place)),
    [NOT_SENT, 51, UNKNOWN, NOT_SENT, UNKNOWN, NOT_SENT],
  );
  assert.equal(readings.value("util", 0), null);
  assert.ok(readings.isSent(2) && !readings.isSent(3));
  readings.apply({ time: 101, base: false, rows: [[4, 102, null]] });
  assert.equal(readings.byte("util", 4), 102);
  // Of a cluster of another version all rows come.
  readings.apply({ ...base([[0, 1, 2]]), version: 4 }, places);
  assert.equal(readings.partial, false);
  assert.ok(readings.isSent(0));
});

test("columns that the page does not know are no harm", () => {
  const readings = new Readings();
  const strange = {
    name: "later" as "util",
    unit: "",
    text: "",
    scale: percent,
  };
  readings.apply({
    ...base([[0, 1, 2]]),
    columns: [strange, ...columns.slice(1)],
  });
  assert.equal(readings.byte("degree", 0), 2);
});

test("a minute's fault is seen among quiet ones", () => {
  const byte = quantise(log, 5);
  const strips = new HeatStrips({
    begin: 0,
    step_seconds: 60,
    steps: 120,
    scale: log,
    nodes: [
      {
        node: "io1",
        runs: [
          [0, 60, quantise(log, 0.1)],
          [62, 1, byte],
        ],
      },
    ],
  });
  const cells = strips.strips.get("io1")!;
  assert.equal(cells.length, CELLS);
  assert.equal(cells[0], 0);
  assert.equal(cells[12], 3);
  assert.equal(cells[23], -1, "what is in no run is not known");
});

const verdict = (
  id: string,
  node: string,
  begin: number,
  end: number | null,
  more: Partial<Verdict> = {},
): Verdict => ({
  id,
  node,
  preset: "default",
  cause: "disk-busy",
  since: begin,
  named: begin,
  begin,
  end,
  last: begin,
  indicted: true,
  secondary_to: null,
  rank: 1,
  degree: 2,
  reason: "",
  text: "",
  ...more,
});

test("marks are those of the instant", () => {
  const all = [verdict("a", "io1", 10, 20), verdict("b", "io2", 15, null)];
  assert.deepEqual([...marksAt(all, 16).keys()], ["io1", "io2"]);
  assert.deepEqual([...marksAt(all, 20).keys()], ["io2"]);
  assert.deepEqual([...marksAt(all, null).keys()], ["io2"]);
  assert.deepEqual([...marksAt(all, 5).keys()], []);
});

test("a node shows its worst verdict", () => {
  const all = [
    verdict("a", "io1", 10, null, { secondary_to: "io2" }),
    verdict("b", "io1", 11, null, { rank: 3 }),
    verdict("c", "io1", 12, null, { rank: 2 }),
  ];
  assert.equal(marksAt(all, null).get("io1")!.verdict.id, "c");
});

test("news replace what they are about", () => {
  const merged = mergeVerdicts(
    [verdict("a", "io1", 10, null)],
    [verdict("a", "io1", 10, 42), verdict("b", "io2", 5, null)],
  );
  assert.deepEqual(
    merged.map((one) => [one.id, one.end]),
    [
      ["b", null],
      ["a", 42],
    ],
  );
  assert.deepEqual(
    listed(merged, null).map((one) => one.id),
    ["b", "a"],
  );
});

test("the stream is asked for what is shown", () => {
  const address = streamAddress({
    groups: ["a b", "c"],
    columns: ["load"],
    rate: 2,
    from: 5,
    speed: 0,
  });
  assert.equal(address, "/api/v1/stream?group=a+b&group=c&columns=load&rate=2&from=5&speed=0");
});
