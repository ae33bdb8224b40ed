import assert from "node:assert/strict";
import test from "node:test";
import { observe } from "../../../diagnoser/page/src/render/domain";
import { glide } from "../../../diagnoser/page/src/render/motion";
import { DARK, LIGHT, LOAD_STEPS, loadStep, type Palette } from "../../../diagnoser/page/src/render/palette";
import { nearestInDirection, nodeAt } from "../../../diagnoser/page/src/render/picking";
import type { SceneNode } from "../../../diagnoser/page/src/render/renderer";

type Rgb = [number, number, number];

const parse = (colour: string): Rgb =>
  [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255) as Rgb;
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (colour: Rgb) => {
  const [r, g, b] = colour.map(linear) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: Rgb, b: Rgb) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

// Viénot, Brettel and Mollon 1999: how those see who lack one kind of cones (on linear light).
const BLIND: Record<string, number[][]> = {
  protan: [
    [0.112, 0.888, 0],
    [0.112, 0.888, 0],
    [0.004, -0.004, 1],
  ],
  deutan: [
    [0.293, 0.707, 0],
    [0.293, 0.707, 0],
    [-0.021, 0.021, 1],
  ],
};
const seen = (colour: Rgb, matrix: number[][]): Rgb => {
  const light = colour.map(linear);
  const gamma = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);
  return matrix.map((row) =>
    gamma(
      Math.min(
        1,
        Math.max(
          0,
          row.reduce((sum, k, i) => sum + k * light[i]!, 0),
        ),
      ),
    ),
  ) as Rgb;
};

const palettes: [string, Palette][] = [
  ["light", LIGHT],
  ["dark", DARK],
];

for (const [name, palette] of palettes) {
  test(`${name}: rings stand out from what is behind them`, () => {
    for (const colour of Object.values(palette.family)) {
      for (const behind of [palette.background, palette.surface]) {
        assert.ok(contrast(parse(colour), parse(behind)) >= 3, `${colour} on ${behind}`);
      }
      assert.ok(contrast(parse(palette.onFamily), parse(colour)) >= 4.5, `letter on ${colour}`);
    }
  });

  test(`${name}: texts can be read`, () => {
    for (const text of [palette.text, palette.muted]) {
      for (const behind of [palette.background, palette.surface]) {
        assert.ok(contrast(parse(text), parse(behind)) >= 4.5, `${text} on ${behind}`);
      }
    }
  });

  test(`${name}: more load is a step in one direction of lightness, for every eye`, () => {
    assert.equal(palette.load.length, LOAD_STEPS);
    for (const matrix of [null, ...Object.values(BLIND)]) {
      const light = palette.load.map((colour) =>
        luminance(matrix ? seen(parse(colour), matrix) : parse(colour)),
      );
      const sign = Math.sign(light.at(-1)! - light[0]!);
      for (let i = 1; i < light.length; i += 1)
        assert.ok((light[i]! - light[i - 1]!) * sign > 0, `step ${i}`);
    }
  });
}

test("bytes spread over all steps", () => {
  assert.equal(loadStep(10, 10, 20), 0);
  assert.equal(loadStep(20, 10, 20), LOAD_STEPS - 1);
  assert.equal(loadStep(99, 10, 20), LOAD_STEPS - 1);
});

test("the range of colours widens at once and narrows slowly", () => {
  const first = observe(new Int16Array([100, 180, -1]), null)!;
  assert.deepEqual(first, { low: 100, high: 180 });
  assert.deepEqual(observe(new Int16Array([90, 200]), first), {
    low: 90,
    high: 200,
  });
  assert.ok(observe(new Int16Array([120, 170]), first)!.high > 179);
  assert.equal(observe(new Int16Array([-1, -1]), null), null);
});

test("nodes that are alike do not get colours from noise", () => {
  const domain = observe(new Int16Array([100, 101]), null)!;
  assert.ok(domain.high - domain.low >= 48);
});

test("values glide to their target and arrive", () => {
  assert.equal(glide(-1, 80, 16), 80);
  assert.equal(glide(80, -1, 16), -1);
  const next = glide(0, 100, 16);
  assert.ok(next > 0 && next < 100);
  assert.equal(glide(0, 100, 5000), 100);
  assert.equal(glide(3, 7, Infinity), 7);
});

const at = (x: number, y: number) => ({ x, y }) as SceneNode;

test("picking finds the node under the pointer", () => {
  const nodes = [at(0, 0), at(1, 0), at(0, 2)];
  const camera = { x: 0, y: 0, scale: 50 };
  assert.equal(nodeAt(nodes, camera, 75, 20), nodes[1]);
  assert.equal(nodeAt(nodes, camera, 75, 120), null);
});

test("arrow keys stay in the row and cross titles", () => {
  const nodes = [at(0, 0), at(1, 0), at(0, 2.5), at(1, 2.5)];
  assert.equal(nearestInDirection(nodes, null, "right"), nodes[0]);
  assert.equal(nearestInDirection(nodes, nodes[0]!, "right"), nodes[1]);
  assert.equal(nearestInDirection(nodes, nodes[1]!, "right"), nodes[1]);
  assert.equal(nearestInDirection(nodes, nodes[1]!, "down"), nodes[3]);
  assert.equal(nearestInDirection(nodes, nodes[2]!, "up"), nodes[0]);
});
