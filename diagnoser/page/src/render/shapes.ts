// shapes.ts: the outlines of roles and signs, as paths.
import { roleKind, type RoleKind } from "../cluster/roles";
import type { Shape } from "./renderer";

/** A closed outline around (x, y) that fills about the same area whatever its shape. */
export function traceShape(c: CanvasRenderingContext2D, shape: Shape, x: number, y: number, r: number): void {
  c.beginPath();
  if (shape === "circle") {
    c.arc(x, y, r, 0, Math.PI * 2);
  } else if (shape === "hexagon") {
    const a = r * 1.08;
    for (let i = 0; i < 6; i += 1) {
      const angle = (Math.PI / 3) * i;
      c.lineTo(x + a * Math.cos(angle), y + a * Math.sin(angle));
    }
    c.closePath();
  } else if (shape === "diamond") {
    const a = r * 1.22;
    c.moveTo(x, y - a);
    c.lineTo(x + a, y);
    c.lineTo(x, y + a);
    c.lineTo(x - a, y);
    c.closePath();
  } else {
    c.roundRect(x - r * 0.92, y - r * 0.92, r * 1.84, r * 1.84, r * 0.28);
  }
}

/** Of a triangle, as part of its height. */
export const ARROW_WIDTH = 0.85;

/** A triangle that points to the right; x is its left edge. Its area, not its side, follows the share. */
export function traceArrow(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  most: number,
  share: number,
): void {
  const side = Math.max(2, most * Math.sqrt(share));
  c.beginPath();
  c.moveTo(x, y - side / 2);
  c.lineTo(x + side * ARROW_WIDTH, y);
  c.lineTo(x, y + side / 2);
  c.closePath();
}

const SHAPES: Record<RoleKind, Shape> = {
  server: "square",
  metadata: "hexagon",
  client: "circle",
  other: "diamond",
};

/** The role decides the shape; a role that is not known is a diamond. */
export function roleShape(role: string): Shape {
  return SHAPES[roleKind(role)];
}
