import assert from "node:assert/strict";
import test from "node:test";
import type { Judged, JudgedServer, Member } from "../../../diagnoser/page/src/api/types";
import { describeServer, describeStanding } from "../../../diagnoser/page/src/text/standing";

const judged = (change: Partial<Judged>): Judged => ({
  limps: 0,
  like_peers: 6,
  not_judged: 0,
  in_no_group: 0,
  first_verdict: null,
  text: "6 of 6 servers are judged",
  servers: [],
  ...change,
});

test("green is said only of servers that are compared now", () => {
  assert.equal(describeStanding(0, judged({}), false).tone, "good");
  assert.equal(describeStanding(0, judged({ like_peers: 0, not_judged: 6 }), false).tone, "unknown");
  assert.equal(describeStanding(0, judged({ not_judged: 1 }), false).tone, "part");
  assert.equal(describeStanding(0, judged({}), true).tone, "unknown", "of the past only verdicts are kept");
  assert.equal(describeStanding(0, null, false).tone, "unknown");
});

test("who limps comes first, and who is not judged beside it", () => {
  const { tone, title, text } = describeStanding(2, judged({ not_judged: 1, text: "1 not: masked" }), false);
  assert.deepEqual([tone, title, text], ["bad", "2 nodes limp", "1 not: masked"]);
  assert.equal(describeStanding(1, judged({}), false).text, "");
});

test("when the first verdict is possible is said by the reader's clock", () => {
  const early = judged({ like_peers: 0, not_judged: 6, first_verdict: 0 });
  assert.match(describeStanding(0, early, false).text, /possible at \d\d:\d\d:\d\d$/);
  const server = { state: "not-judged", reason: "too-early", first_verdict: 0, text: "" } as JudgedServer;
  assert.match(describeServer(server), /^not judged: first verdict possible at \d\d:\d\d:\d\d$/);
});

test("of one server only that it is not judged is said", () => {
  const server = { state: "not-judged", reason: "masked", text: "not judged: masked" } as JudgedServer;
  assert.equal(describeServer(server), "not judged: masked");
  assert.equal(describeServer({ ...server, state: "like-peers" }), "");
  assert.equal(describeServer(undefined), "");
});

test("a diagnoser of a federation that is not known is no health", () => {
  const member = (mark: "down" | "late" | "version" | "clock" | "names") =>
    ({ member: "south", marks: [{ mark, text: "" }] }) as unknown as Member;
  for (const mark of ["down", "late"] as const) {
    const { tone, title } = describeStanding(0, judged({}), false, [member(mark)]);
    assert.deepEqual([tone, title], ["part", "None limps, not known now: south"]);
  }
  assert.equal(describeStanding(0, judged({}), false, [member("names")]).tone, "good");
});
