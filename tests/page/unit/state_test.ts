import assert from "node:assert/strict";
import test from "node:test";
import type { ClusterNode, Verdict } from "../../../diagnoser/page/src/api/types";
import { isFiltered, matches } from "../../../diagnoser/page/src/state/filters";
import { nextOrder, sortRows } from "../../../diagnoser/page/src/state/table";
import { layBars, MAX_LANES, ticks } from "../../../diagnoser/page/src/state/timeline";
import { formatAddress, HOME, NO_FILTERS, parseAddress } from "../../../diagnoser/page/src/state/url";

test("the start page has no parameters", () => {
  assert.equal(formatAddress(HOME), "/");
  assert.deepEqual(parseAddress(""), HOME);
});

test("an address and back is the same address", () => {
  const address = {
    ...HOME,
    view: "nodes" as const,
    node: "<b>io&4</b> ü",
    evidence: "5f1c0a9be37d2204",
    metric: "io04/sda:await:",
    at: 1795314848,
    speed: 20,
    filters: {
      text: "rack=r1 sda",
      groups: ["a", "b&c"],
      roles: ["server"],
      causes: ["any", "disk-busy"],
    },
    kind: "mds",
    order: "metadata" as const,
    colour: "net_in" as const,
    hidden: ["disk" as const, "heat" as const],
    legend: true,
  };
  assert.deepEqual(parseAddress(formatAddress(address).slice(1)), address);
});

test("an alert's link opens the latest evidence", () => {
  const address = parseAddress("?node=io04&cause=disk-busy&evidence=1");
  assert.deepEqual([address.node, address.cause, address.evidence], ["io04", "disk-busy", "1"]);
});

test("wrong values count as left out", () => {
  const address = parseAddress("?view=x&order=up&at=abc&speed=-1&colour=red&hide=what&other=1");
  assert.deepEqual(address, HOME);
});

const node: ClusterNode = {
  node: "io04",
  role: "server",
  up: true,
  labels: { rack: "R2" },
  peer_groups: ["server-disks"],
  components: [{ component: "io04/sdb", device: "sdb", peer_group: "server-disks" }],
};
const filters = (change: Partial<typeof NO_FILTERS>) => ({
  ...NO_FILTERS,
  ...change,
});

test("every word of a search has to occur somewhere", () => {
  assert.ok(matches(node, null, filters({ text: "IO04 rack=r2" })));
  assert.ok(matches(node, "disk-busy", filters({ text: "sdb busy" })));
  assert.ok(!matches(node, null, filters({ text: "io04 client" })));
});

test("filters by role, group and verdict", () => {
  assert.ok(!matches(node, null, filters({ roles: ["client"] })));
  assert.ok(matches(node, null, filters({ groups: ["server-disks", "x"] })));
  assert.ok(!matches(node, null, filters({ causes: ["any"] })));
  assert.ok(matches(node, "disk-hog", filters({ causes: ["any"] })));
  assert.ok(!matches(node, "disk-hog", filters({ causes: ["disk-busy"] })));
  assert.ok(!isFiltered(NO_FILTERS) && isFiltered(filters({ text: "a" })));
});

const verdict = (begin: number, end: number | null) => ({ id: String(begin), begin, end }) as Verdict;

test("bars that overlap have lanes of their own", () => {
  const bars = layBars([verdict(0, 50), verdict(10, 20), verdict(30, null), verdict(200, 300)], {
    begin: 0,
    end: 100,
  });
  assert.deepEqual(
    bars.map((bar) => bar.lane),
    [0, 1, 1],
  );
  assert.deepEqual(
    bars.map((bar) => [bar.from, bar.to]),
    [
      [0, 0.5],
      [0.1, 0.2],
      [0.3, 1],
    ],
  );
});

test("there are never more lanes than have room", () => {
  const bars = layBars(
    Array.from({ length: 40 }, (_, i) => verdict(i, null)),
    { begin: 0, end: 100 },
  );
  assert.equal(Math.max(...bars.map((bar) => bar.lane)), MAX_LANES - 1);
  // Nobody is lost: the last bar stands for those without a lane.
  assert.equal(bars.length, MAX_LANES);
  assert.equal(
    bars.reduce((sum, bar) => sum + 1 + bar.more.length, 0),
    40,
  );
});

test("an axis has round instants", () => {
  assert.deepEqual(ticks({ begin: 1000, end: 4700 }, 5), [1800, 3600]);
  assert.deepEqual(ticks({ begin: 5, end: 5 }, 5), []);
  assert.ok(ticks({ begin: 0, end: 90 * 86400 }, 6).length <= 6);
});

test("sorting keeps equal rows in order and puts what is missing last", () => {
  const rows = [{ v: null }, { v: 2 }, { v: 10 }, { v: 1 }];
  const cell = (row: { v: number | null }) => row.v;
  assert.deepEqual(sortRows(rows, { column: "v", falling: false }, cell).map(cell), [1, 2, 10, null]);
  assert.deepEqual(sortRows(rows, { column: "v", falling: true }, cell).map(cell), [10, 2, 1, null]);
  assert.deepEqual(nextOrder({ column: "a", falling: true }, "a", true), {
    column: "a",
    falling: false,
  });
  assert.deepEqual(nextOrder({ column: "a", falling: true }, "b", false), {
    column: "b",
    falling: false,
  });
});
