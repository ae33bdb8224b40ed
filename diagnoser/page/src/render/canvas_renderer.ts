// canvas_renderer.ts: the cluster on a 2D canvas, as much of each node as its size allows.
import type { Camera } from "../grid/camera";
import { chooseLevel } from "../grid/level";
import { drawCard } from "./draw_card";
import { drawCells, visibility, type Spot } from "./draw_cells";
import { drawGlyph } from "./draw_glyph";
import { FONT } from "./draw_parts";
import type { Renderer, Scene, SceneNode } from "./renderer";
import { fitText } from "./text_fit";

export class CanvasRenderer implements Renderer {
  private readonly context: CanvasRenderingContext2D;
  private width = 0;
  private height = 0;
  private readonly spots: Spot[] = []; // kept from frame to frame: no garbage at 60 frames a second

  constructor(private readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("this browser has no 2D canvas");
    this.context = context;
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  draw(scene: Scene, camera: Camera): void {
    const c = this.context;
    c.globalAlpha = 1;
    c.fillStyle = scene.palette.background;
    c.fillRect(0, 0, this.width, this.height);
    const spots = this.visible(scene, camera);
    const level = chooseLevel(camera.scale);
    if (level === "cell" || level === "tile") {
      drawCells(c, scene.palette, spots, camera.scale, level === "cell" && !scene.hidden.has("disk"));
    } else {
      const drawNode = level === "card" ? drawCard : drawGlyph;
      for (const { node, x, y } of spots) {
        c.globalAlpha = visibility(node);
        drawNode(c, scene.palette, node, x, y, camera.scale, scene.hidden);
      }
      c.globalAlpha = 1;
    }
    this.outline(scene, camera);
    this.titles(scene, camera);
  }

  private visible(scene: Scene, camera: Camera): Spot[] {
    const { scale } = camera;
    let count = 0;
    for (const node of scene.nodes) {
      const x = (node.x - camera.x) * scale;
      const y = (node.y - camera.y) * scale;
      if (x + scale < 0 || y + scale < 0 || x > this.width || y > this.height || node.opacity <= 0) continue;
      const spot = this.spots[count];
      if (spot) {
        spot.node = node;
        spot.x = x;
        spot.y = y;
      } else {
        this.spots.push({ node, x, y });
      }
      count += 1;
    }
    this.spots.length = count;
    return this.spots;
  }

  private outline(scene: Scene, camera: Camera): void {
    const one = (node: SceneNode | null, width: number, dash: number[]) => {
      if (!node) return;
      const c = this.context;
      const inset = camera.scale >= 12 ? 1.5 : -2;
      const side = Math.max(6, camera.scale - 2 * inset);
      c.setLineDash(dash);
      c.strokeStyle = scene.palette.focus;
      c.lineWidth = width;
      c.beginPath();
      const x = (node.x - camera.x) * camera.scale + inset;
      const y = (node.y - camera.y) * camera.scale + inset;
      c.roundRect(x, y, side, side, Math.min(9, side * 0.12));
      c.stroke();
      c.setLineDash([]);
    };
    one(scene.focused, 1.5, [4, 3]);
    one(scene.selected, 2, []);
  }

  private titles(scene: Scene, camera: Camera): void {
    const c = this.context;
    const { palette } = scene;
    c.textAlign = "left";
    c.textBaseline = "alphabetic";
    const room = scene.titleHeight * camera.scale;
    if (room < 13) return;
    for (const section of scene.sections) {
      const left = (section.x - camera.x) * camera.scale + 5;
      // The title of a section whose begin is out of view stays at the edge.
      const x = Math.max(left, 5);
      const y = (section.y - camera.y) * camera.scale - Math.min(9, room * 0.3);
      const width = section.width * camera.scale - 10 - (x - left);
      if (y < -4 || y > this.height + 20 || x > this.width || width <= 0) continue;
      c.font = `600 13px ${FONT}`;
      c.fillStyle = palette.text;
      const title = fitText(c, section.title, width);
      c.fillText(title, x, y);
      const used = c.measureText(title).width + 10;
      c.font = `400 12px ${FONT}`;
      c.fillStyle = palette.muted;
      c.fillText(fitText(c, section.detail, width - used), x + used, y);
    }
  }
}
