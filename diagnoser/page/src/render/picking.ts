// picking.ts: which node is under a point, and which is next to another.
import type { Camera } from "../grid/camera";
import type { SceneNode } from "./renderer";

export type Direction = "left" | "right" | "up" | "down";

/** `px`, `py`: CSS pixels on the canvas. */
export function nodeAt<T extends SceneNode>(
  nodes: readonly T[],
  camera: Camera,
  px: number,
  py: number,
): T | null {
  const x = camera.x + px / camera.scale;
  const y = camera.y + py / camera.scale;
  // A fingertip is wider than a tile.
  const slack = Math.max(0, (6 - camera.scale) / 2 / camera.scale);
  const hit = nodes.find(
    (node) => x >= node.x - slack && x < node.x + 1 + slack && y >= node.y - slack && y < node.y + 1 + slack,
  );
  return hit ?? null;
}

/** The neighbour in a direction, the nearest in the same row or column first; without a beginning the first node. */
export function nearestInDirection<T extends SceneNode>(
  nodes: readonly T[],
  from: T | null,
  direction: Direction,
): T | null {
  if (!from) return [...nodes].sort((a, b) => a.y - b.y || a.x - b.x)[0] ?? null;
  let best: T | null = null;
  let least = Infinity;
  for (const node of nodes) {
    const cost = distance(node.x - from.x, node.y - from.y, direction);
    if (cost < least) {
      least = cost;
      best = node;
    }
  }
  return best ?? from;
}

function distance(dx: number, dy: number, direction: Direction): number {
  const sideways = direction === "left" || direction === "right";
  const along = sideways ? dx : dy;
  const ahead = direction === "left" || direction === "up" ? -along : along;
  const across = Math.abs(sideways ? dy : dx);
  // To the side only along the row; up and down also across a section's title.
  if (ahead < 0.5 || (sideways && across > 0.4)) return Infinity;
  return ahead + across * 2;
}
