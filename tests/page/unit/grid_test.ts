import assert from "node:assert/strict";
import test from "node:test";
import { between, clamp, fit, reveal, zoomAt } from "../../../diagnoser/page/src/grid/camera";
import { chooseLevel } from "../../../diagnoser/page/src/grid/level";
import { compareNatural } from "../../../diagnoser/page/src/grid/natural_order";
import { FADE_MS, Presence } from "../../../diagnoser/page/src/grid/presence";
import { placesWithin, regionAround } from "../../../diagnoser/page/src/grid/region";
import { layOut, slotPosition } from "../../../diagnoser/page/src/grid/shelves";
import { Slots } from "../../../diagnoser/page/src/grid/slots";

const WINDOW = { width: 1000, height: 600 };
const placed = (names: string[]) => names.map((node) => ({ node, section: "server" }));

test("io2 comes before io10", () => {
  assert.deepEqual(["io10", "io2", "io1", "a"].sort(compareNatural), ["a", "io1", "io2", "io10"]);
});

test("a node keeps its place when others come and go", () => {
  const slots = new Slots();
  slots.update(placed(["io1", "io2", "io3"]));
  slots.update(placed(["io3", "io1"]));
  assert.equal(slots.slot("io1"), 0);
  assert.equal(slots.slot("io3"), 2);
  assert.equal(slots.slot("io2"), undefined);
  slots.update(placed(["io0", "io1", "io3", "io4"]));
  assert.equal(slots.slot("io3"), 2);
  assert.equal(slots.slot("io0"), 1, "the free place is used first");
  assert.equal(slots.slot("io4"), 3);
});

test("the region around the window is the same while the map moves a little", () => {
  const world = { width: 40, height: 25 };
  const whole = regionAround({ x: 0, y: 0, scale: 24 }, world, WINDOW);
  assert.equal(whole, null);
  const at = (x: number) => regionAround({ x, y: 5, scale: 100 }, world, WINDOW);
  const region = at(11)!;
  assert.deepEqual(at(12), region);
  assert.notDeepEqual(at(20), region);
  assert.ok(region.left <= 11 - 2.5 && region.right >= 21 + 2.5, "a quarter of the window on each side");
  const nodes = [
    { x: 11, y: 5, place: 3 },
    { x: region.right, y: 5, place: 4 },
    { x: 12, y: 5, place: -1 },
  ];
  assert.deepEqual(placesWithin(region, nodes), [3]);
});

test("a node that changes its section moves alone", () => {
  const slots = new Slots();
  slots.update(placed(["a", "b"]));
  slots.update([
    { node: "a", section: "client" },
    { node: "b", section: "server" },
  ]);
  assert.equal(slots.slot("b"), 1);
  assert.equal(slots.slot("a"), 0);
  assert.equal(slots.size("client"), 1);
});

test("everything fits into the window", () => {
  for (const sizes of [
    [6],
    [36, 2, 10],
    [740, 30, 230],
    [7400, 300, 2300],
    Array<number>(50).fill(20),
    [1],
  ]) {
    const sections = sizes.map((slots, i) => ({ key: String(i), slots }));
    const grid = layOut(sections, WINDOW);
    assert.ok(grid.width * grid.scale <= WINDOW.width + 1, `width for ${sizes.join()}`);
    assert.ok(grid.height * grid.scale <= WINDOW.height + 1, `height for ${sizes.join()}`);
    for (const section of sections) {
      const block = grid.blocks.get(section.key)!;
      assert.ok(block.columns * block.rows >= section.slots);
      const last = slotPosition(block, section.slots - 1);
      assert.ok(last.x + 1 <= grid.width + 1e-9 && last.y + 1 <= grid.height + 1e-9);
    }
  }
});

test("no two nodes share a place", () => {
  const sections = [7, 3, 40, 12].map((slots, i) => ({
    key: String(i),
    slots,
  }));
  const grid = layOut(sections, WINDOW);
  const all: { x: number; y: number }[] = [];
  for (const section of sections) {
    for (let slot = 0; slot < section.slots; slot += 1)
      all.push(slotPosition(grid.blocks.get(section.key)!, slot));
  }
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) assert.ok(Math.abs(a.x - b.x) >= 1 || Math.abs(a.y - b.y) >= 1);
  }
});

test("10,000 nodes stay above two pixels, 1,000 are squares one can point at", () => {
  assert.ok(layOut([{ key: "", slots: 10_000 }], WINDOW).scale > 2);
  assert.ok(layOut([{ key: "", slots: 1000 }], WINDOW).scale > 15);
});

test("a few nodes stand in one row", () => {
  assert.equal(layOut([{ key: "", slots: 5 }], WINDOW).blocks.get("")!.rows, 1);
});

test("an empty cluster has a grid", () => {
  assert.ok(Number.isFinite(layOut([], WINDOW).scale));
});

test("the level follows the size", () => {
  assert.deepEqual([200, 60, 20, 4].map(chooseLevel), ["card", "glyph", "cell", "tile"]);
});

test("what is under the pointer stays there while zooming", () => {
  const before = { x: 3, y: 4, scale: 20 };
  const after = zoomAt(before, 1.7, 150, 90, 1);
  assert.ok(Math.abs(before.x + 150 / before.scale - (after.x + 150 / after.scale)) < 1e-9);
  assert.equal(zoomAt(before, 0.001, 0, 0, 5).scale, 5, "never further out than all nodes");
});

test("the camera keeps the grid in the window", () => {
  const world = { width: 50, height: 30 };
  assert.deepEqual(clamp({ x: -9, y: 99, scale: 40 }, world, WINDOW), {
    x: 0,
    y: 15,
    scale: 40,
  });
  assert.deepEqual(clamp({ x: 7, y: 7, scale: 5 }, world, WINDOW), {
    x: 0,
    y: 0,
    scale: 5,
  });
});

test("a node is brought into view by the shortest way", () => {
  const camera = { x: 10, y: 10, scale: 100 };
  assert.deepEqual(reveal(camera, 12, 12, WINDOW), camera);
  assert.equal(reveal(camera, 30, 12, WINDOW).x, 21);
  assert.equal(reveal(camera, 2, 12, WINDOW).x, 2);
});

test("a flight begins and ends where it should", () => {
  const from = fit({ width: 40, height: 20, scale: 12 });
  const to = { x: 8, y: 9, scale: 150 };
  assert.deepEqual(between(from, to, 0), from);
  const end = between(from, to, 1);
  assert.ok(Math.abs(end.x - 8) < 1e-9 && Math.abs(end.scale - 150) < 1e-9);
});

test("who enters appears, who leaves fades and is forgotten", () => {
  const presence = new Presence();
  presence.update(["a"], 0, true);
  assert.equal(presence.opacity("a", 0), 1, "who is there at first is there at once");
  presence.update(["a", "b"], 1000);
  assert.equal(presence.opacity("b", 1000 + FADE_MS / 2), 0.5);
  presence.update(["b"], 3000);
  assert.deepEqual(presence.fading(3000 + FADE_MS / 2), ["a"]);
  assert.equal(presence.opacity("a", 3000 + FADE_MS / 2), 0.5);
  assert.deepEqual(presence.fading(3000 + FADE_MS), []);
  assert.equal(presence.opacity("a", 9000), 0);
  assert.ok(presence.settled(9000));
});
