// region.ts: which part of the map the stream is asked for: the window and some of what is around it, in steps, so that a
// map that is moved a little asks for nothing else. Pure.
import type { Camera, Extent } from "./camera";

export interface Region {
  left: number; // world coordinates
  top: number;
  right: number;
  bottom: number;
}

const AROUND = 0.25; // of the window, on each side
const STEP = 0.5;

/** null: all of the grid is in the window. */
export function regionAround(camera: Camera, world: Extent, window: Extent): Region | null {
  const across = range(camera.x, window.width / camera.scale, world.width);
  const down = range(camera.y, window.height / camera.scale, world.height);
  if (across.whole && down.whole) return null;
  return { left: across.from, top: down.from, right: across.to, bottom: down.to };
}

function range(from: number, span: number, size: number): { from: number; to: number; whole: boolean } {
  const step = span * STEP;
  return {
    from: Math.floor((from - span * AROUND) / step) * step,
    to: Math.ceil((from + span * (1 + AROUND)) / step) * step,
    whole: from <= 0 && from + span >= size,
  };
}

/** The places of the nodes that reach into the region. */
export function placesWithin(
  region: Region,
  nodes: readonly { x: number; y: number; place: number }[],
): number[] {
  const { left, top, right, bottom } = region;
  return nodes
    .filter(({ x, y, place }) => place >= 0 && x + 1 > left && x < right && y + 1 > top && y < bottom)
    .map(({ place }) => place);
}
