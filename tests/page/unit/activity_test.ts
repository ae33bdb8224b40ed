import assert from "node:assert/strict";
import test from "node:test";
import type { Activity } from "../../../diagnoser/page/src/api/types";
import { latencySeries, operationMix, sizeBars } from "../../../diagnoser/page/src/cluster/activity";

const rate = { rate: 0, seconds: null };
const disks = (read: number[], write: number[]): NonNullable<Activity["disks"]> => ({
  edges: [512, 4096, 65536, 1048576],
  read: { sizes: read, small: rate, large: rate },
  write: { sizes: write, small: rate, large: rate },
});

test("sizes: empty ones at both ends are left out, those between stay", () => {
  assert.deepEqual(sizeBars(disks([0, 3, 0, 0, 0], [0, 0, 0, 2, 0])), [
    { label: "4 KiB", read: 3, write: 0 },
    { label: "64 KiB", read: 0, write: 0 },
    { label: "1 MiB", read: 0, write: 2 },
  ]);
  assert.deepEqual(
    sizeBars(disks([1, 0, 0, 0, 1], [0, 0, 0, 0, 0])).map((bar) => bar.label),
    ["512 B", "4 KiB", "64 KiB", "1 MiB", "> 1 MiB"],
  );
  assert.deepEqual(sizeBars(disks([0, 0, 0, 0, 0], [0, 0, 0, 0, 0])), []);
});

test("operations: those of servers, the most frequent first", () => {
  const of = (role: string, operation: string, often: number) => ({
    role,
    operation,
    rate: often,
    seconds: null,
  });
  const all = [
    of("client", "open", 900),
    of("server", "stat", 5),
    of("server", "open", 20),
    of("server", "fsync", 0),
  ];
  assert.deepEqual(
    operationMix(all).map(({ operation, share }) => [operation, share]),
    [
      ["open", 1],
      ["stat", 0.25],
    ],
  );
  assert.deepEqual(
    operationMix([of("client", "open", 900)]).map((one) => one.operation),
    ["open"],
  );
  assert.deepEqual(operationMix([]), []);
});

test("latency: small requests beside large ones; nothing when there were none", () => {
  const history: Activity["history"] = {
    time: [5, 10],
    small_reads: [null, null],
    large_reads: [null, null],
    small_writes: [0.03, 0.16],
    large_writes: [null, 0.4],
    metadata: [null, null],
  };
  assert.equal(latencySeries(history, "reads"), null);
  const writes = latencySeries(history, "writes");
  assert.ok(writes);
  assert.deepEqual(writes.value, [0.03, 0.16]);
  assert.deepEqual(writes.peer_median, [null, 0.4]);
  assert.equal(writes.unit, "s");
});
