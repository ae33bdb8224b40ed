// draw_card.ts: the nearest level: a node with its name, its cause and its numbers; the larger, the more of them.
import type { Layer } from "../state/url";
import { drawBadge, drawBody, drawDisk, drawHeat, drawRing, drawTraffic, FONT } from "./draw_parts";
import type { Palette } from "./palette";
import type { SceneNode } from "./renderer";
import { firstFitting, fitText } from "./text_fit";

const PAD = 10;
const USUAL = 142; // pixels of a side at which texts have their usual size
const MOST_GROWN = 1.7;
const LIST_PIXELS = 300; // all readings have room
const USUAL_ROWS = 13; // so that texts of cards beside each other have one size

interface Place {
  left: number;
  top: number;
  side: number;
  grown: number; // of texts and lines
  hidden: ReadonlySet<Layer>;
}

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
  const side = size - 2 * edge;
  const grown = Math.min(MOST_GROWN, Math.max(1, side / USUAL));
  const place: Place = { left: x + edge, top: y + edge, side, grown, hidden };
  c.beginPath();
  c.roundRect(place.left, place.top, side, side, 8);
  c.fillStyle = p.surface;
  c.fill();
  c.strokeStyle = node.mark && !node.mark.secondary ? p.family[node.mark.family] : p.border;
  c.lineWidth = 1;
  c.stroke();
  drawHead(c, p, node, place);
  if (side >= LIST_PIXELS) drawList(c, p, node, place);
  else drawMiddle(c, p, node, place);
  if (hidden.has("heat")) return;
  const height = 5 * grown;
  drawHeat(c, p, node.heat, place.left + PAD, place.top + side - PAD - height, side - 2 * PAD, height);
}

function drawHead(c: CanvasRenderingContext2D, p: Palette, node: SceneNode, place: Place): void {
  const { left, top, side, grown, hidden } = place;
  const room = side - 2 * PAD - (node.mark ? 20 * grown : 0);
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
  if (!hidden.has("names")) {
    c.font = `600 ${13 * grown}px ${FONT}`;
    c.fillStyle = p.text;
    c.fillText(fitText(c, node.name, room), left + PAD, top + 20 * grown);
  }
  c.font = `500 ${11 * grown}px ${FONT}`;
  c.fillStyle = node.mark ? p.family[node.mark.family] : p.muted;
  const state = node.mark?.text ?? (node.down ? "does not answer" : "");
  const width = side - 2 * PAD;
  const text = state ? fitText(c, state, width) : firstFitting(c, node.texts?.shown ?? [], width);
  if (text) c.fillText(text, left + PAD, top + 35 * grown);
  if (node.mark) drawBadge(c, p, node.mark, left + side - PAD - 7 * grown, top + 16 * grown, 8 * grown);
}

/** The signs in the middle, with what comes and goes below them. */
function drawMiddle(c: CanvasRenderingContext2D, p: Palette, node: SceneNode, place: Place): void {
  const { left, top, side, grown, hidden } = place;
  const numbers = node.texts !== null && !hidden.has("network");
  const y = top + side * (numbers ? 0.525 : 0.575);
  drawSigns(c, p, node, place, left + side * 0.44, y, side * 0.125);
  if (!numbers || !node.texts) return;
  c.fillStyle = p.muted;
  // The badge above has set its own.
  c.textBaseline = "alphabetic";
  const line = top + side - PAD - 12 * grown;
  const room = (side - 2 * PAD - 4) / 2;
  for (const [texts, sign, align, x] of [
    [node.texts.netIn, "↓", "left", left + PAD],
    [node.texts.netOut, "↑", "right", left + side - PAD],
  ] as const) {
    c.textAlign = align;
    c.fillText(fitNumber(c, texts, sign, room, grown), x, line);
  }
  c.textAlign = "left";
}

/** In a smaller type before in fewer letters than tell the unit. */
function fitNumber(
  c: CanvasRenderingContext2D,
  texts: readonly string[],
  sign: string,
  room: number,
  grown: number,
): string {
  for (const pixels of [10.5, 9]) {
    c.font = `500 ${pixels * grown}px ${FONT}`;
    const fitting = firstFitting(
      c,
      texts.map((text) => `${sign} ${text}`),
      room,
    );
    if (fitting) return fitting;
  }
  return "";
}

function drawSigns(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  { left, side, grown, hidden }: Place,
  x: number,
  y: number,
  r: number,
): void {
  drawBody(c, p, node, x, y, r);
  drawRing(c, p, node, x, y, r + 4.5 * grown, 3 * grown);
  if (!hidden.has("disk")) drawDisk(c, p, node, left + side - PAD, y - r * 1.36, 5 * grown, r * 2.72);
  if (!hidden.has("network")) drawTraffic(c, p, node, x, y, r + 10 * grown, r * 1.04);
}

/** A large card: the signs above, every reading with its name below. */
function drawList(c: CanvasRenderingContext2D, p: Palette, node: SceneNode, place: Place): void {
  const { left, top, side, grown } = place;
  drawSigns(c, p, node, place, left + side * 0.44, top + side * 0.3, side * 0.09);
  const rows = node.texts?.all ?? [];
  const begin = top + side * 0.48;
  const room = side - PAD - (begin - top) - 16 * grown;
  const step = Math.min(19 * grown, room / Math.max(USUAL_ROWS, rows.length));
  const pixels = Math.min(11.5 * grown, step * 0.74);
  c.textBaseline = "alphabetic";
  rows.forEach(([label, value], i) => {
    const y = begin + step * (i + 0.8);
    c.font = `600 ${pixels}px ${FONT}`;
    c.textAlign = "right";
    c.fillStyle = p.text;
    c.fillText(value, left + side - PAD, y);
    const used = c.measureText(value).width + 12;
    c.font = `400 ${pixels}px ${FONT}`;
    c.textAlign = "left";
    c.fillStyle = p.muted;
    c.fillText(fitText(c, label, side - 2 * PAD - used), left + PAD, y);
  });
}
