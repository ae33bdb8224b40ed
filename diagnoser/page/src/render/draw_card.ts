// draw_card.ts: the nearest level: a node with its name, its cause and its numbers.
import type { Layer } from "../state/url";
import { drawBadge, drawBar, drawBody, drawHeat, drawRing, drawTraffic, FONT } from "./draw_parts";
import type { Palette } from "./palette";
import type { SceneNode } from "./renderer";
import { fitText } from "./text_fit";

const PAD = 10;

export function drawCard(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  x: number,
  y: number,
  size: number,
  hidden: ReadonlySet<Layer>,
): void {
  const edge = 4;
  const left = x + edge;
  const top = y + edge;
  const side = size - 2 * edge;
  c.beginPath();
  c.roundRect(left, top, side, side, 8);
  c.fillStyle = p.surface;
  c.fill();
  c.strokeStyle = node.mark && !node.mark.secondary ? p.family[node.mark.family] : p.border;
  c.lineWidth = 1;
  c.stroke();
  drawHead(c, p, node, left, top, side, hidden);
  drawMiddle(c, p, node, left, top, side, hidden);
  if (!hidden.has("heat")) drawHeat(c, p, node.heat, left + PAD, top + side - PAD - 5, side - 2 * PAD, 5);
}

function drawHead(c: CanvasRenderingContext2D, p: Palette, node: SceneNode, left: number, top: number, side: number, hidden: ReadonlySet<Layer>): void {
  const room = side - 2 * PAD - (node.mark ? 20 : 0);
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
  if (!hidden.has("names")) {
    c.font = `600 13px ${FONT}`;
    c.fillStyle = p.text;
    c.fillText(fitText(c, node.name, room), left + PAD, top + 21);
  }
  c.font = `500 11px ${FONT}`;
  c.fillStyle = node.mark ? p.family[node.mark.family] : p.muted;
  const state = node.mark?.text ?? (node.down ? "does not answer" : "");
  if (state) c.fillText(fitText(c, state, side - 2 * PAD), left + PAD, top + 36);
  if (node.mark) drawBadge(c, p, node.mark, left + side - PAD - 7, top + 17, 8);
}

function drawMiddle(c: CanvasRenderingContext2D, p: Palette, node: SceneNode, left: number, top: number, side: number, hidden: ReadonlySet<Layer>): void {
  const r = side * 0.13;
  const wide = side >= 132;
  const most = side * 0.11;
  const x = left + PAD + most * 1.1 + r + 3;
  const y = top + side * 0.57;
  drawBody(c, p, node, x, y, r);
  drawRing(c, p, node, x, y, r + 4.5, 3);
  if (!hidden.has("network")) drawTraffic(c, p, node, x, y, r + 7, most);
  if (!hidden.has("disk")) {
    drawBar(c, p, node.util, left + side - PAD - 5, top + side * 0.36, 5, side * 0.42);
    if (node.space >= 0) drawBar(c, p, node.space, left + PAD, top + side - PAD - 14, side - 2 * PAD, 3);
  }
  // Numbers only where they have room beside the signs.
  const from = x + r + 7 + most * 1.2 + 4;
  const room = left + side - PAD - 10 - from;
  if (!wide || room < 34) return;
  c.font = `500 11px ${FONT}`;
  c.fillStyle = p.muted;
  c.textAlign = "right";
  const first = y - (node.lines.length - 1) * 7.5 + 4;
  node.lines.forEach((line, i) => c.fillText(fitText(c, line, room), left + side - PAD - 11, first + i * 15));
  c.textAlign = "left";
}
