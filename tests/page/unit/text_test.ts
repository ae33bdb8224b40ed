import assert from "node:assert/strict";
import test from "node:test";
import type { EvidenceMetric } from "../../../diagnoser/page/src/api/types";
import { CAUSES } from "../../../diagnoser/page/src/text/cause_table";
import { describeCause } from "../../../diagnoser/page/src/text/causes";
import { compareToPeers, howSure, times } from "../../../diagnoser/page/src/text/checklist";
import { displayName } from "../../../diagnoser/page/src/text/names";
import { placeOf, stepPath } from "../../../diagnoser/page/src/view/distribution_path";

const metric = (change: Partial<EvidenceMetric>): EvidenceMetric =>
  ({
    component: "io04/sdb",
    unit: "ms",
    mean: 60,
    peer_median: 10,
    peers: 5,
    far: 4,
    windows: [{ anomalous: true }, { anomalous: true }, { anomalous: false }],
    ...change,
  }) as EvidenceMetric;

test("a comparison in plain words", () => {
  assert.equal(compareToPeers(metric({})), "io04/sdb 60 ms, its peers 10 ms: 6 times as much");
  assert.equal(howSure(metric({})), "far from 4 of 5 peers in 2 of the last 3 windows");
  assert.equal(howSure(metric({ far: null })), "apart from its 5 peers in 2 of the last 3 windows");
});

test("less than the peers is said as a share", () => {
  assert.equal(times(metric({ mean: 3, peer_median: 10 })), "30 % of it");
});

test("no ratio to what is missing or nothing", () => {
  for (const change of [{ mean: null }, { peer_median: null }, { peer_median: 0 }, { mean: 0 }]) {
    assert.equal(times(metric(change)), "");
  }
});

test("every cause has a sign", () => {
  assert.ok(CAUSES.length > 0);
  for (const { name } of CAUSES) assert.notEqual(describeCause(name).letter, "?");
});

test("letters of causes differ: colour is never the only sign", () => {
  assert.equal(new Set(CAUSES.map((cause) => cause.letter)).size, CAUSES.length);
});

test("a cause of a later server keeps its name", () => {
  assert.equal(describeCause("cosmic-rays").name, "cosmic-rays");
  assert.equal(describeCause("cosmic-rays").letter, "?");
});

test("marks that turn text around are shown, not obeyed", () => {
  assert.equal(displayName("io\u202e04\u2066x"), "io\ufffd04\ufffdx");
  assert.equal(displayName("a\nb\tc\u0000"), "a\ufffdb\ufffdc\ufffd");
});

test("names are bounded and otherwise stay what they are", () => {
  assert.equal(displayName("x".repeat(10_000)).length, 121);
  assert.equal(displayName("<b>io</b> שרת 服务器"), "<b>io</b> שרת 服务器");
});

test("a histogram's outline has a step for each bin", () => {
  assert.equal(stepPath([0.5, 1], 1, 100, 10), "M0 10L0.00 5.00L50.00 5.00L50.00 0.00L100.00 0.00L100 10Z");
  assert.equal(stepPath([], 1, 100, 10), "");
  assert.equal(placeOf(15, [10, 15, 20]), 0.5);
  assert.equal(placeOf(99, [10, 20]), 1);
  assert.equal(placeOf(1, []), 1);
});
