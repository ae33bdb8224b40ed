import assert from "node:assert/strict";
import test from "node:test";
import type { Frame } from "../../../diagnoser/page/src/api/types";
import { columnsAt, holds } from "../../../diagnoser/page/src/state/detail";
import { PastReadings } from "../../../diagnoser/page/src/state/past";

const frame: Frame = {
  time: 120,
  base: true,
  version: 3,
  columns: [{ name: "util", unit: "%", text: "busy", scale: { kind: "linear", low: 0, high: 100 } }],
  rows: [[0, 51]],
};

test("an answer is of all instants within its means", () => {
  const past = new PastReadings();
  assert.equal(past.isAnswered(90), false);
  past.take(90, { since: 0, begin: 60, end: 120, frame });
  assert.ok(past.covers(60) && past.covers(119.9) && !past.covers(120) && !past.covers(59));
  assert.equal(past.readings.byte("util", 0), 51);
  assert.match(past.describe(90), /^means of \d\d:\d\d to \d\d:\d\d$/);
  assert.equal(past.describe(200), "");
  // The minute that goes on shows the one before.
  past.take(130, { since: 0, begin: 60, end: 120, frame });
  assert.ok(past.covers(130) && !past.covers(131));
});

test("of a federation it says whose readings are missing", () => {
  const past = new PastReadings();
  past.take(90, { since: 0, begin: 60, end: 120, frame, missing: ["north", "south"] });
  assert.match(past.describe(90), /^means of \d\d:\d\d to \d\d:\d\d, none of north, south$/);
  past.take(90, { since: 0, begin: 60, end: 120, frame, missing: ["a", "b", "c", "d"] });
  assert.match(past.describe(90), /, none of 4 diagnosers$/);
});

test("what is not kept is said, of its instant alone", () => {
  const past = new PastReadings();
  past.take(90, { since: 3600 });
  assert.ok(past.isAnswered(90) && !past.covers(90) && !past.isAnswered(91));
  assert.match(past.describe(90), /^readings are kept since \d\d:\d\d$/);
  past.take(90, { since: null });
  assert.equal(past.describe(90), "no readings of then are kept");
  past.fail(90, "too many");
  assert.equal(past.describe(90), "readings of then: too many");
});

test("the farther the zoom, the fewer columns", () => {
  assert.deepEqual(columnsAt("card", "load"), []);
  assert.deepEqual(columnsAt("glyph", "util"), ["net_in", "net_out", "space", "up", "util"]);
  assert.deepEqual(columnsAt("cell", "load"), ["load", "up", "util"]);
  assert.deepEqual(columnsAt("tile", "load"), ["load", "up"]);
});

test("a stream holds what it was opened with", () => {
  assert.ok(holds([], ["load"]) && holds([], []) && holds(["load", "up"], ["up"]));
  assert.ok(!holds(["load"], []) && !holds(["load"], ["up"]));
});
