import assert from "node:assert/strict";
import test from "node:test";
import { formatDuration, formatNumber, formatValue } from "../../../diagnoser/page/src/text/units";

test("numbers have at most three significant digits", () => {
  assert.equal(formatNumber(14.234), "14.2");
  assert.equal(formatNumber(1.8), "1.8");
  assert.equal(formatNumber(1234.5), "1235");
  assert.equal(formatNumber(0), "0");
  assert.equal(formatNumber(0.00042), "4.2e-4");
});

test("what is missing is a dash, never 0", () => {
  for (const value of [null, undefined, NaN, Infinity]) assert.equal(formatValue(value, "ms"), "–");
});

test("bytes take the prefix that reads best", () => {
  assert.equal(formatValue(14_200_000, "B/s"), "14.2 MB/s");
  assert.equal(formatValue(999.6, "B/s"), "1 kB/s");
  assert.equal(formatValue(0, "B/s"), "0 B/s");
});

test("sectors are shown as bytes", () => {
  assert.equal(formatValue(2000, "sectors/s"), "1.02 MB/s");
  assert.equal(formatValue(8, "sectors"), "4.1 kB");
});

test("times go from microseconds to seconds", () => {
  assert.equal(formatValue(60, "ms"), "60 ms");
  assert.equal(formatValue(0.05, "ms"), "50 µs");
  assert.equal(formatValue(3214, "ms"), "3.21 s");
});

test("counts keep their unit", () => {
  assert.equal(formatValue(1060, "requests/s"), "1.06k requests/s");
  assert.equal(formatValue(12, "requests"), "12 requests");
  assert.equal(formatValue(2500, "/s"), "2.5k/s");
  assert.equal(formatValue(37.25, "%"), "37.3 %");
  assert.equal(formatValue(7, ""), "7");
});

test("durations are said in two steps at most", () => {
  assert.equal(formatDuration(14), "14 s");
  assert.equal(formatDuration(185), "3 min");
  assert.equal(formatDuration(7500), "2 h 5 min");
  assert.equal(formatDuration(7200), "2 h");
  assert.equal(formatDuration(90_000), "1 d 1 h");
  assert.equal(formatDuration(-5), "0 s");
});
