// draw_cells.ts: the far levels: one coloured square a node, thousands of them. Nodes of one colour are drawn together,
// because a change of colour costs more than a rectangle; what is marked comes last and stays visible at any size.
import { drawBadge, FONT } from "./draw_parts";
import { LOAD_STEPS, type Palette } from "./palette";
import type { SceneNode } from "./renderer";

export interface Spot {
  node: SceneNode;
  x: number; // CSS pixels on the screen
  y: number;
}

const MIN_MARK = 7; // a mark is at least that wide
const BADGE_PIXELS = 26; // a ring and a letter within it
const LETTER_PIXELS = 13;
const BAR_PIXELS = 26;

export function drawCells(
  c: CanvasRenderingContext2D,
  p: Palette,
  spots: readonly Spot[],
  size: number,
  bars: boolean,
): void {
  const gap = size >= 6 ? Math.max(1, Math.round(size * 0.09)) : size >= 3 ? 0.6 : 0;
  const side = size - gap;
  fillByColour(c, p, spots, side);
  if (bars && size >= BAR_PIXELS) drawBars(c, p, spots, side);
  for (const spot of spots) if (spot.node.mark) drawMarked(c, p, spot, side);
}

function fillByColour(c: CanvasRenderingContext2D, p: Palette, spots: readonly Spot[], side: number): void {
  // The last two: not known, and does not answer.
  const buckets: Spot[][] = Array.from({ length: LOAD_STEPS + 2 }, () => []);
  for (const spot of spots) {
    const { down, colour } = spot.node;
    buckets[down ? LOAD_STEPS + 1 : colour < 0 ? LOAD_STEPS : colour]?.push(spot);
  }
  buckets.forEach((bucket, i) => {
    if (bucket.length === 0) return;
    c.fillStyle = i > LOAD_STEPS ? p.track : (p.load[i] ?? p.unknown);
    for (const { node, x, y } of bucket) {
      c.globalAlpha = visibility(node);
      c.fillRect(x, y, side, side);
    }
  });
  c.globalAlpha = 1;
  const down = buckets[LOAD_STEPS + 1] ?? [];
  if (down.length === 0 || side < 6) return;
  c.strokeStyle = p.muted;
  c.lineWidth = 1;
  c.setLineDash([2, 2]);
  for (const { x, y } of down) c.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
  c.setLineDash([]);
}

export function visibility(node: SceneNode): number {
  return node.opacity * (node.dimmed ? 0.18 : 1);
}

function drawBars(c: CanvasRenderingContext2D, p: Palette, spots: readonly Spot[], side: number): void {
  const height = Math.max(2, Math.round(side * 0.12));
  c.fillStyle = p.text;
  for (const { node, x, y } of spots) {
    if (node.util <= 0 || node.down) continue;
    c.globalAlpha = visibility(node) * 0.55;
    c.fillRect(x, y + side - height, (side * node.util) / 255, height);
  }
  c.globalAlpha = 1;
}

function drawMarked(c: CanvasRenderingContext2D, p: Palette, { node, x, y }: Spot, side: number): void {
  const mark = node.mark;
  if (!mark) return;
  c.globalAlpha = visibility(node);
  const colour = p.family[mark.family];
  if (side < MIN_MARK) {
    // Smaller than a ring could be: the whole place in the ring's colour, larger than its neighbours.
    const grown = (MIN_MARK - side) / 2;
    c.fillStyle = p.background;
    c.fillRect(x - grown - 1, y - grown - 1, MIN_MARK + 2, MIN_MARK + 2);
    c.fillStyle = colour;
    c.fillRect(x - grown, y - grown, MIN_MARK, MIN_MARK);
  } else {
    if (side < BADGE_PIXELS && !mark.secondary) {
      c.fillStyle = colour;
      c.fillRect(x, y, side, side);
      if (side >= LETTER_PIXELS) drawLetter(c, p, mark.letter, x + side / 2, y + side / 2, side * 0.62);
    } else {
      drawFrame(c, colour, mark.secondary, x, y, side);
      if (side >= BADGE_PIXELS) drawBadge(c, p, mark, x + side / 2, y + side / 2, Math.min(9, side * 0.3));
    }
  }
  c.globalAlpha = 1;
}

function drawLetter(
  c: CanvasRenderingContext2D,
  p: Palette,
  letter: string,
  x: number,
  y: number,
  pixels: number,
): void {
  c.fillStyle = p.onFamily;
  c.font = `700 ${Math.round(pixels)}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(letter, x, y + pixels * 0.05);
}

function drawFrame(
  c: CanvasRenderingContext2D,
  colour: string,
  dashed: boolean,
  x: number,
  y: number,
  side: number,
): void {
  const width = Math.max(2, side * 0.12);
  c.strokeStyle = colour;
  c.lineWidth = width;
  if (dashed) c.setLineDash([width * 1.5, width]);
  c.strokeRect(x + width / 2, y + width / 2, side - width, side - width);
  c.setLineDash([]);
}
