// canvas_input.ts: pointer, touch, wheel and keys of the canvas, as what the stage can do.
import type { Stage } from "../render/stage";

const CLICK_PIXELS = 5; // a hand trembles
const PAN_KEY_PIXELS = 80;

interface Point {
  x: number;
  y: number;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Click, drag, pinch, wheel and double click. */
export function listenPointer(canvas: HTMLCanvasElement, stage: Stage): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const down = new Map<number, Point>();
  let travelled = 0;

  canvas.addEventListener(
    "pointerdown",
    (event) => {
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      if (down.size === 1) travelled = 0;
    },
    { signal },
  );
  canvas.addEventListener(
    "pointermove",
    (event) => {
      const now = { x: event.offsetX, y: event.offsetY };
      const before = down.get(event.pointerId);
      if (!before) {
        canvas.classList.toggle("over-node", stage.hover(now.x, now.y) !== null);
        return;
      }
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      travelled += distance(before, now);
      if (other) {
        stage.zoomBy(
          distance(now, other) / Math.max(1, distance(before, other)),
          (now.x + other.x) / 2,
          (now.y + other.y) / 2,
        );
      } else if (travelled > CLICK_PIXELS) {
        stage.panBy(now.x - before.x, now.y - before.y);
      }
      down.set(event.pointerId, now);
    },
    { signal },
  );
  const release = (event: PointerEvent) => {
    const last = down.size === 1;
    if (!down.delete(event.pointerId)) return;
    if (event.type === "pointerup" && last && travelled <= CLICK_PIXELS)
      stage.open(event.offsetX, event.offsetY);
  };
  canvas.addEventListener("pointerup", release, { signal });
  canvas.addEventListener("pointercancel", release, { signal });
  canvas.addEventListener("pointerleave", () => stage.hover(-1e9, -1e9), { signal });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      stage.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)), event.offsetX, event.offsetY);
    },
    { signal, passive: false },
  );
  return () => controller.abort();
}

// Whoever has one of these in focus means it with arrows and Enter.
const USES_KEYS = "a, button, input, select, textarea, summary, [tabindex]:not(canvas), [role=button]";
const FIELDS = "input:not([type=range]), select, textarea";
const LETTERS = new Set(["n", "z", "+", "=", "-", "0"]);

/** Whether a key is for the map: in no field, under no dialog; arrows and Enter only where nothing else uses them. */
function isForMap(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  return target.closest(LETTERS.has(event.key) ? FIELDS : USES_KEYS) === null;
}

/** Keys, wherever the focus is: nobody has to click into the map first. */
export function listenKeys(stage: Stage): () => void {
  const actions: Record<string, () => void> = {
    ArrowLeft: () => stage.moveFocus("left"),
    ArrowRight: () => stage.moveFocus("right"),
    ArrowUp: () => stage.moveFocus("up"),
    ArrowDown: () => stage.moveFocus("down"),
    Enter: () => stage.openFocused(),
    " ": () => stage.openFocused(),
    "+": () => stage.zoomBy(1.4),
    "=": () => stage.zoomBy(1.4),
    "-": () => stage.zoomBy(1 / 1.4),
    "0": () => stage.showAll(),
    n: () => stage.focusNextMarked(),
    z: () => stage.zoomToFocused(),
  };
  const panned: Record<string, () => void> = {
    ArrowLeft: () => stage.panBy(PAN_KEY_PIXELS, 0),
    ArrowRight: () => stage.panBy(-PAN_KEY_PIXELS, 0),
    ArrowUp: () => stage.panBy(0, PAN_KEY_PIXELS),
    ArrowDown: () => stage.panBy(0, -PAN_KEY_PIXELS),
  };
  const handle = (event: KeyboardEvent) => {
    if (!isForMap(event)) return;
    const action = (event.shiftKey ? panned[event.key] : undefined) ?? actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  window.addEventListener("keydown", handle);
  return () => window.removeEventListener("keydown", handle);
}
