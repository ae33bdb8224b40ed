// renderer.ts: what the page asks of whatever draws the cluster. Canvas 2D meets the frame goals (docs/performance.md);
// another renderer would take the same scene.
import type { HeatCells } from "../cluster/heat";
import type { Camera } from "../grid/camera";
import type { Layer } from "../state/url";
import type { Family } from "../text/causes";
import type { Palette } from "./palette";

export type Shape = "square" | "circle" | "hexagon" | "diamond";

export interface Mark {
  letter: string;
  family: Family;
  secondary: boolean;
  text: string; // the cause
}

/** Each in ever shorter forms; empty when not known. */
export interface CardTexts {
  shown: readonly string[]; // what the colour shows
  netIn: readonly string[];
  netOut: readonly string[];
  all: readonly (readonly [string, string])[]; // label and value of every reading, for large cards
}

/** One node; the same object for as long as the node is there. Bytes 0 to 255, -1 for not known. */
export interface SceneNode {
  name: string; // as it is shown
  x: number; // world
  y: number;
  shape: Shape;
  opacity: number;
  dimmed: boolean; // out of the filters' focus
  down: boolean;
  mark: Mark | null;
  heat: HeatCells | null;
  colour: number; // step of the palette's load scale, or -1
  util: number;
  space: number;
  netIn: number; // 0 to 1 of the most that any node has, -1 for not known
  netOut: number;
  texts: CardTexts | null; // values for people, on cards only
}

export interface SceneSection {
  title: string;
  detail: string;
  x: number;
  y: number; // of the first row; the title is above
  width: number;
}

export interface Scene {
  nodes: readonly SceneNode[];
  sections: readonly SceneSection[];
  titleHeight: number; // world
  hidden: ReadonlySet<Layer>;
  selected: SceneNode | null;
  focused: SceneNode | null;
  palette: Palette;
}

export interface Renderer {
  /** CSS pixels, and how many of the device's pixels one of them has. */
  resize(width: number, height: number, ratio: number): void;
  draw(scene: Scene, camera: Camera): void;
}
