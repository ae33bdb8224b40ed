import assert from "node:assert/strict";
import test from "node:test";
import type { Places } from "../../../diagnoser/page/src/api/stream";
import type { Frame } from "../../../diagnoser/page/src/api/types";
import {
  columnsAt,
  holds,
  listPlaces,
  MAX_RANGES,
  placesText,
  type Columns,
} from "../../../diagnoser/page/src/state/detail";
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

const all = null;

test("a stream holds the columns that it was opened with", () => {
  const held = (sent: Columns, wanted: Columns) =>
    holds({ columns: sent, places: all }, { columns: wanted, places: all });
  assert.ok(held([], ["load"]) && held([], []) && held(["load", "up"], ["up"]));
  assert.ok(!held(["load"], []) && !held(["load"], ["up"]));
});

test("places on the screen are asked for as ranges, unless they are nearly all or scattered", () => {
  const places = listPlaces([7, 2, 3, 4, 9], 5, 100);
  assert.ok(places);
  assert.equal(placesText(places), "5:2-4,7,9");
  assert.equal(listPlaces([], 5, 100), null);
  assert.equal(
    listPlaces(
      Array.from({ length: 71 }, (_, i) => i),
      5,
      100,
    ),
    null,
  );
  const scattered = Array.from({ length: MAX_RANGES + 1 }, (_, i) => 2 * i);
  assert.equal(listPlaces(scattered, 5, 10_000), null);
  assert.ok(listPlaces(scattered.slice(1), 5, 10_000));
});

test("a stream holds the nodes that it was opened with, of the same cluster", () => {
  const some = (...places: number[]) => listPlaces(places, 5, 100);
  const held = (sent: Places | null, wanted: Places | null) =>
    holds({ columns: [], places: sent }, { columns: [], places: wanted });
  assert.ok(held(all, all) && held(all, some(1)) && held(some(1, 2, 3, 7), some(2, 3, 7)));
  assert.ok(!held(some(1), all) && !held(some(1, 2), some(2, 3)) && !held(some(1, 3), some(1, 2, 3)));
  assert.ok(!held(some(1), listPlaces([1], 6, 100)));
});
