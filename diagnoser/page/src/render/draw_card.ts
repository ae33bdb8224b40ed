// draw_card.ts: the nearest level: a node with its name, its cause and its numbers.
import type { Layer } from "../state/url";
import { drawBadge, drawBody, drawDisk, drawHeat, drawRing, drawTraffic, FONT } from "./draw_parts";
import type { Palette } from "./palette";
import type { SceneNode } from "./renderer";
import { fitText } from "./text_fit";

const PAD = 10;
const NUMBERS_PIXELS = 126; // both directions have room

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

function drawHead(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  left: number,
  top: number,
  side: number,
  hidden: ReadonlySet<Layer>,
): void {
  const room = side - 2 * PAD - (node.mark ? 20 : 0);
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
  if (!hidden.has("names")) {
    c.font = `600 13px ${FONT}`;
    c.fillStyle = p.text;
    c.fillText(fitText(c, node.name, room), left + PAD, top + 20);
  }
  c.font = `500 11px ${FONT}`;
  c.fillStyle = node.mark ? p.family[node.mark.family] : p.muted;
  const state = node.mark?.text ?? (node.down ? "does not answer" : (node.texts?.shown ?? ""));
  if (state) c.fillText(fitText(c, state, side - 2 * PAD), left + PAD, top + 35);
  if (node.mark) drawBadge(c, p, node.mark, left + side - PAD - 7, top + 16, 8);
}

function drawMiddle(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  left: number,
  top: number,
  side: number,
  hidden: ReadonlySet<Layer>,
): void {
  const r = side * 0.125;
  const most = side * 0.13;
  const x = left + side * 0.44;
  const numbers = node.texts !== null && side >= NUMBERS_PIXELS && !hidden.has("network");
  const y = top + side * (numbers ? 0.525 : 0.575);
  drawBody(c, p, node, x, y, r);
  drawRing(c, p, node, x, y, r + 4.5, 3);
  if (!hidden.has("disk")) drawDisk(c, p, node, left + side - PAD, y - side * 0.17, 5, side * 0.34);
  if (hidden.has("network")) return;
  drawTraffic(c, p, node, x, y, r + 10, most);
  if (!numbers || !node.texts) return;
  c.font = `500 10.5px ${FONT}`;
  c.fillStyle = p.muted;
  // The badge above has set its own.
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
  const line = top + side - PAD - 12;
  const room = (side - 2 * PAD) / 2;
  if (node.texts.netIn) c.fillText(fitText(c, `↓ ${node.texts.netIn}`, room), left + PAD, line);
  c.textAlign = "right";
  if (node.texts.netOut) c.fillText(fitText(c, `↑ ${node.texts.netOut}`, room), left + side - PAD, line);
  c.textAlign = "left";
}
