// draw_glyph.ts: the middle level: shapes without text, some 60 pixels wide.
import type { Layer } from "../state/url";
import { drawBadge, drawDisk, drawBody, drawHeat, drawRing, drawTraffic, FONT } from "./draw_parts";
import type { Palette } from "./palette";
import type { SceneNode } from "./renderer";
import { fitTail, fitText } from "./text_fit";

const SMALL_NAME = 58; // below it names are small, and cut at the front

export function drawGlyph(
  c: CanvasRenderingContext2D,
  p: Palette,
  node: SceneNode,
  x: number,
  y: number,
  size: number,
  hidden: ReadonlySet<Layer>,
): void {
  const named = !hidden.has("names");
  const r = size * 0.19;
  const most = size * 0.13;
  const middleX = x + size * 0.44;
  const middleY = y + size * (named ? 0.37 : 0.43);
  drawBody(c, p, node, middleX, middleY, r);
  drawRing(c, p, node, middleX, middleY, r + size * 0.05, Math.max(2, size * 0.04));
  if (!hidden.has("network")) drawTraffic(c, p, node, middleX, middleY, r + size * 0.085, most);
  if (!hidden.has("disk")) drawDisk(c, p, node, x + size * 0.95, middleY - r, size * 0.045, r * 2);
  if (!hidden.has("heat"))
    drawHeat(c, p, node.heat, x + size * 0.1, y + size * 0.9, size * 0.8, Math.max(2, size * 0.04));
  if (node.mark)
    drawBadge(
      c,
      p,
      node.mark,
      middleX + r + size * 0.05,
      middleY - r - size * 0.04,
      Math.max(5.5, size * 0.1),
    );
  if (!named) return;
  c.font = `500 ${size >= 84 ? 11 : size >= SMALL_NAME ? 10 : 9}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "alphabetic";
  c.fillStyle = node.mark ? p.text : p.muted;
  const fitted = size >= SMALL_NAME ? fitText(c, node.name, size * 0.9) : fitTail(c, node.name, size * 0.96);
  c.fillText(fitted, x + size * 0.5, y + size * 0.81);
}
