// camera.ts: one zoom from all nodes to one. Pure: a camera is a value.

export interface Camera {
  x: number; // world coordinates of the window's upper left corner
  y: number;
  scale: number; // CSS pixels of a world unit
}

export interface Extent {
  width: number;
  height: number;
}

export const MAX_SCALE = 720; // one node, with all its text

/** Everything in view, at the left edge and from the top, as a table begins. */
export function fit(grid: Extent & { scale: number }): Camera {
  return { x: 0, y: 0, scale: grid.scale };
}

/** Zooms so that what is under the pointer stays there. `px`, `py`: CSS pixels within the window. */
export function zoomAt(camera: Camera, factor: number, px: number, py: number, minScale: number): Camera {
  const scale = Math.min(MAX_SCALE, Math.max(minScale, camera.scale * factor));
  const worldX = camera.x + px / camera.scale;
  const worldY = camera.y + py / camera.scale;
  return { x: worldX - px / scale, y: worldY - py / scale, scale };
}

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

/** Keeps the grid in the window: no empty space beyond its edges but what is left over anyway. */
export function clamp(camera: Camera, world: Extent, window: Extent): Camera {
  const spanX = window.width / camera.scale;
  const spanY = window.height / camera.scale;
  return {
    ...camera,
    x: Math.min(Math.max(camera.x, 0), Math.max(0, world.width - spanX)),
    y: Math.min(Math.max(camera.y, 0), Math.max(0, world.height - spanY)),
  };
}

/** Moves as little as needed to bring a place (1 × 1 at x, y) into view. */
export function reveal(camera: Camera, x: number, y: number, window: Extent): Camera {
  const spanX = window.width / camera.scale;
  const spanY = window.height / camera.scale;
  return {
    ...camera,
    x: Math.min(Math.max(camera.x, x + 1 - spanX), x),
    y: Math.min(Math.max(camera.y, y + 1 - spanY), y),
  };
}

/** The scale at which one place fills the smaller side of the window. */
export function fillScale(window: Extent): number {
  return Math.min(MAX_SCALE, window.width, window.height);
}

/** Centres a place at a scale. */
export function centre(x: number, y: number, scale: number, window: Extent): Camera {
  return { x: x + 0.5 - window.width / scale / 2, y: y + 0.5 - window.height / scale / 2, scale };
}

/** The camera `part` of the way from one to the other; scales change by factors, so that a zoom looks even. */
export function between(from: Camera, to: Camera, part: number): Camera {
  const eased = part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;
  const scale = from.scale * (to.scale / from.scale) ** eased;
  // Linear in the scale, not in time: otherwise a zoom drifts away from its target and back.
  const span = to.scale - from.scale;
  const weight =
    Math.abs(span) < 1e-9 ? eased : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return { x: from.x + (to.x - from.x) * weight, y: from.y + (to.y - from.y) * weight, scale };
}
