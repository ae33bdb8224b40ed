import assert from "node:assert/strict";
import test from "node:test";
import { lifeOf, type Incident } from "../../../diagnoser/page/src/api/incident";
import type { Activity, ClusterNode } from "../../../diagnoser/page/src/api/types";
import { commonScales, orderNodes, serverRoles } from "../../../diagnoser/page/src/cluster/side_by_side";
import { formatAddress, parseAddress } from "../../../diagnoser/page/src/state/url";
import { toCsv } from "../../../diagnoser/page/src/text/csv";
import { fileName } from "../../../diagnoser/page/src/view/download";

const node = (name: string, role: string) => ({ node: name, role }) as ClusterNode;

test("cells are quoted where they have to be, and none is a formula", () => {
  assert.equal(
    toCsv(
      ["a", "b,c"],
      [
        ["=1+1", 'say "x"'],
        [null, -2.5],
        ["@x\ny", true],
      ],
    ),
    `a,"b,c"\r\n'=1+1,"say ""x"""\r\n,-2.5\r\n"'@x\ny",true\r\n`,
  );
  assert.equal(fileName("map", 1_769_853_600, "png"), "limpet-map-20260131T100000Z.png");
});

test("servers stand side by side by role, and by what is asked for", () => {
  const nodes = [node("io10", "oss"), node("io2", "oss"), node("c1", "client"), node("m1", "mds")];
  assert.deepEqual(serverRoles(nodes), ["oss", "mds"]);
  const names = (list: readonly ClusterNode[]) => list.map((one) => one.node);
  assert.deepEqual(names(orderNodes(nodes.slice(0, 2), "name", () => null)), ["io2", "io10"]);
  const value = (name: string) => ({ io10: 5, io2: null, m1: 9 })[name] ?? null;
  assert.deepEqual(names(orderNodes([nodes[1]!, nodes[0]!, nodes[3]!], "load", value)), [
    "m1",
    "io10",
    "io2",
  ]);
});

test("one scale for all servers", () => {
  const activity = (most: number, calls: number) =>
    ({
      disks: { edges: [], read: { sizes: [1, most] }, write: { sizes: [0, 2] } },
      operations: [{ role: "server", operation: "open", rate: calls, seconds: null }],
    }) as unknown as Activity;
  assert.deepEqual(commonScales([activity(7, 3), activity(4, 90)]), { sizes: 7, calls: 90 });
  assert.ok(commonScales([]).sizes > 0);
});

test("an incident's life is in order, whatever there is of it", () => {
  const bare: Incident = {
    ...{ id: "a", node: "io1", cause: "disk-busy", indicted: true, text: "" },
    ...{ since: 10, named: 70, last: 200, ended: null },
  };
  assert.deepEqual(
    lifeOf(bare).map(({ at }) => at),
    [10, 70, 200],
  );
  const whole = lifeOf({
    ...bare,
    ended: 300,
    ending: "not judged since",
    acts: [{ at: 80, step: "begin", state: "done", reason: "" }],
    answers: [{ at: 75, as: "scrub", until: null, note: "", by: "" }],
  });
  assert.deepEqual(
    whole.map(({ text }) => text.split(":")[0]),
    ["began to differ from its peers, by the data", "named as the culprit", "answered", "begin", "ended"],
  );
  assert.match(whole.at(-1)!.text, /not judged since/);
});

test("the address holds the new views", () => {
  const address = parseAddress("?view=servers&only=1&incident=ab");
  assert.deepEqual([address.view, address.only, address.incident], ["servers", true, "ab"]);
  assert.equal(formatAddress(address), "/?view=servers&only=1&incident=ab");
});
