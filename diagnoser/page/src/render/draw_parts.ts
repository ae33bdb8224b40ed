// draw_parts.ts: the signs that glyphs and cards share. Lengths in CSS pixels.
import type { HeatCells } from "../cluster/heat";
import type { Palette } from "./palette";
import type { Mark, SceneNode } from "./renderer";
import { ARROW_WIDTH, traceArrow, traceShape } from "./shapes";

export const FONT = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** The role's shape in the colour of its load; hollow when the node does not answer. */
export function drawBody(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  x: number,
  y: number,
  r: number,
): void {
  traceShape(c, node.shape, x, y, r);
  if (node.down) {
    c.lineWidth = Math.max(1, r * 0.1);
    c.setLineDash([3, 3]);
    c.strokeStyle = p.muted;
    c.stroke();
    c.setLineDash([]);
    return;
  }
  c.fillStyle = p.load[node.colour] ?? p.unknown;
  c.fill();
}

/** The ring of an anomaly: whole when the node is indicted, dashed when a worse one explains it. */
export function drawRing(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  x: number,
  y: number,
  r: number,
  width: number,
): void {
  if (!node.mark) return;
  traceShape(c, node.shape, x, y, r);
  c.strokeStyle = p.family[node.mark.family];
  c.lineWidth = width;
  if (node.mark.secondary) c.setLineDash([width * 1.6, width * 1.2]);
  c.stroke();
  c.setLineDash([]);
}

/** The cause's letter on a disc. */
export function drawBadge(
  c: CanvasRenderingContext2D,
  p: Palette,
  mark: Mark,
  x: number,
  y: number,
  r: number,
): void {
  c.beginPath();
  c.arc(x, y, r, 0, Math.PI * 2);
  c.fillStyle = p.family[mark.family];
  c.fill();
  c.fillStyle = p.onFamily;
  c.font = `700 ${Math.round(r * 1.3)}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(mark.letter, x, y + r * 0.08);
}

/** Two upright bars, filled from the bottom: how busy the disks are, and how full. What is not known is left out. */
export function drawDisk(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  right: number,
  y: number,
  w: number,
  h: number,
): void {
  const bar = (byte: number, x: number, colour: string) => {
    if (byte < 0) return;
    c.fillStyle = p.track;
    c.fillRect(x, y, w, h);
    c.fillStyle = colour;
    c.fillRect(x, y + h * (1 - byte / 255), w, (h * byte) / 255);
  };
  const gap = Math.max(1, w * 0.5);
  bar(node.util, node.space < 0 ? right - w : right - 2 * w - gap, p.bar);
  bar(node.space, right - w, p.space);
}

/** One triangle in to the node and one out of it, on both sides of a body of radius r. */
export function drawTraffic(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  x: number,
  y: number,
  r: number,
  most: number,
): void {
  c.fillStyle = p.arrow;
  if (node.netIn > 0) {
    traceArrow(c, x - r - ARROW_WIDTH * most, y, most, node.netIn);
    c.fill();
  }
  if (node.netOut > 0) {
    traceArrow(c, x + r, y, most, node.netOut);
    c.fill();
  }
}

/** Two hours of the degree, the latest at the right. */
export function drawHeat(
  c: CanvasRenderingContext2D,
  p: Palette,
  heat: HeatCells | null,
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  c.fillStyle = p.track;
  c.fillRect(x, y, w, h);
  if (!heat) return;
  const step = w / heat.length;
  for (let i = 0; i < heat.length; i += 1) {
    const value = heat[i] ?? -1;
    if (value <= 0) continue;
    c.fillStyle = p.heat[value] ?? p.track;
    c.fillRect(x + i * step, y, step + 0.3, h);
  }
}
