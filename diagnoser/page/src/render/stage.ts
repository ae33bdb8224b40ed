// stage.ts: the canvas as the viewer handles it: when it is drawn, and pointer, wheel and keyboard.
//
// Nothing is drawn while nothing changes. A camera flight, gliding values and fading nodes ask for the next frame.
import { between, centre, clamp, fillScale, fit, pan, reveal, zoomAt, type Camera } from "../grid/camera";
import { CARD_PIXELS, chooseLevel } from "../grid/level";
import { placesWithin, regionAround } from "../grid/region";
import type { Cluster, ClusterNode } from "../api/types";
import { isFiltered, matches } from "../state/filters";
import type { Model } from "../state/model";
import { CanvasRenderer } from "./canvas_renderer";
import { DARK, LIGHT } from "./palette";
import { nearestInDirection, nodeAt, type Direction } from "./picking";
import type { Renderer } from "./renderer";
import { SceneBuilder, type BuiltNode } from "./scene_builder";

const FLIGHT_MS = 320;
// Values that glide do so in a few steps: at 60 a second a page that is always open would keep a core busy.
const STEP_MS = 50;

export interface StageEvents {
  onOpen(node: BuiltNode): void;
  onHover(node: BuiltNode | null, x: number, y: number): void;
  onFocus(node: BuiltNode | null): void;
  /** The keyboard has moved the focus there; x, y: the node's middle, in CSS pixels of the canvas. */
  onReach(node: BuiltNode, x: number, y: number): void;
}

export class Stage {
  readonly builder = new SceneBuilder();
  camera: Camera = { x: 0, y: 0, scale: 1 };
  focused: BuiltNode | null = null;
  private readonly renderer: Renderer;
  private size = { width: 1, height: 1 };
  private flight: { from: Camera; to: Camera; begin: number } | null = null;
  private touched = false; // the viewer has moved the camera: a new size keeps it
  private scheduled = 0;
  private step: ReturnType<typeof setTimeout> | undefined;
  private last = 0;
  private dark = false;
  private textsWritten = false;
  private choice = "";
  private shown = ""; // what the model was told of last

  constructor(
    canvas: HTMLCanvasElement,
    private readonly model: Model,
    private readonly events: StageEvents,
  ) {
    this.renderer = new CanvasRenderer(canvas);
  }

  /** Brings the scene up to date with the model; `what` has changed. */
  refresh(change: "all" | "marks" | "heat" | "readings"): void {
    const { model, builder } = this;
    if (!model.cluster) return;
    const what = change === "marks" && this.isOtherChoice() ? "all" : change;
    if (what === "all") this.setCluster(model.cluster);
    if (what === "all" || what === "marks") builder.setMarks(model.marks, model.address.filters);
    if (what === "all" || what === "heat") builder.setHeat(model.heat);
    if (!model.readingsPending) builder.setReadings(model.readings, model.readingsFit, model.address);
    if (what === "all") this.tell(true); // before the stream is opened
    this.textsWritten = false;
    this.schedule();
  }

  private setCluster(cluster: Cluster): void {
    const { model, builder } = this;
    const { only, filters } = model.address;
    const known = builder.nodes.length > 0;
    const { marks } = model;
    const kept = (node: ClusterNode) =>
      !only || matches(node, marks.get(node.node)?.verdict.cause ?? null, filters);
    if (this.isOtherChoice()) {
      this.choice = this.describeChoice();
      builder.reset();
      this.focused = null;
      this.touched = false;
    }
    builder.setCluster(cluster, performance.now(), kept);
    if (!known || !this.touched) this.camera = fit(builder.grid);
  }

  /** Which nodes are on the map: empty for all. A filter by verdict follows the verdicts. */
  private describeChoice(): string {
    const { only, filters } = this.model.address;
    if (!only || !isFiltered(filters)) return "";
    const marked = filters.causes.length > 0 ? [...this.model.marks.keys()] : [];
    return JSON.stringify([filters, marked]);
  }

  private isOtherChoice(): boolean {
    return this.describeChoice() !== this.choice;
  }

  resize(width: number, height: number, ratio: number): void {
    this.size = { width, height };
    this.renderer.resize(width, height, ratio);
    this.builder.setFrame({ width, height });
    this.camera = this.touched ? this.bounded(this.camera) : fit(this.builder.grid);
    this.draw(performance.now());
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.schedule();
  }

  schedule(): void {
    if (this.scheduled) return;
    this.scheduled = requestAnimationFrame((now) => {
      this.scheduled = 0;
      this.draw(now);
    });
  }

  private scheduleStep(): void {
    clearTimeout(this.step);
    this.step = setTimeout(() => this.schedule(), STEP_MS);
  }

  private draw(now: number): void {
    const { model, builder } = this;
    this.fly(now);
    if (!this.flight) this.tell(false);
    const { colour, node, hidden } = model.address;
    const moving = builder.advance(
      model.readings,
      model.readingsPending ? null : model.readingsFit,
      colour,
      now,
      Math.min(100, now - this.last),
    );
    this.last = now;
    this.write();
    this.renderer.draw(
      {
        nodes: builder.nodes,
        sections: builder.sections,
        titleHeight: builder.grid.title,
        hidden: new Set(hidden),
        selected: node === null ? null : (builder.find(node) ?? null),
        focused: this.focused,
        palette: this.dark ? DARK : LIGHT,
      },
      this.camera,
    );
    if (this.flight) this.schedule();
    else if (moving) this.scheduleStep();
  }

  /** Tells the model what is on the screen; `moved`: nodes have other places. */
  private tell(moved: boolean): void {
    const { builder, level, model } = this;
    const region = regionAround(this.camera, builder.grid, this.size);
    const shown = JSON.stringify([level, region]);
    if (shown === this.shown && !moved) return;
    this.shown = shown;
    model.show(level, region && placesWithin(region, builder.nodes));
  }

  private write(): void {
    if (this.textsWritten || this.camera.scale < CARD_PIXELS || this.model.readingsPending) return;
    this.textsWritten = true;
    this.builder.writeTexts(this.model.readings, this.model.readingsFit, this.model.address.colour);
  }

  private fly(now: number): void {
    if (!this.flight) return;
    const part = Math.min(1, (now - this.flight.begin) / FLIGHT_MS);
    this.camera = between(this.flight.from, this.flight.to, part);
    if (part >= 1) this.flight = null;
  }

  private flyTo(target: Camera): void {
    const to = this.bounded(target);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.camera = to;
    else this.flight = { from: this.camera, to, begin: performance.now() };
    this.schedule();
  }

  private bounded(camera: Camera): Camera {
    return clamp(camera, this.builder.grid, this.size);
  }

  get level() {
    return chooseLevel(this.camera.scale);
  }

  showAll(): void {
    this.touched = false;
    this.flyTo(fit(this.builder.grid));
  }

  zoomBy(factor: number, x = this.size.width / 2, y = this.size.height / 2): void {
    this.touched = true;
    this.flight = null;
    this.camera = this.bounded(zoomAt(this.camera, factor, x, y, this.builder.grid.scale));
    this.schedule();
  }

  panBy(dx: number, dy: number): void {
    this.touched = true;
    this.flight = null;
    this.camera = this.bounded(pan(this.camera, dx, dy));
    this.schedule();
  }

  /** One zoom from all nodes to one. */
  zoomTo(node: BuiltNode): void {
    this.touched = true;
    this.events.onHover(null, 0, 0);
    this.flyTo(centre(node.x, node.y, fillScale(this.size), this.size));
  }

  hover(x: number, y: number): BuiltNode | null {
    const node = nodeAt(this.builder.nodes, this.camera, x, y);
    this.events.onHover(node, x, y);
    return node;
  }

  open(x: number, y: number): void {
    const node = nodeAt(this.builder.nodes, this.camera, x, y);
    this.focus(node);
    if (node) this.events.onOpen(node);
  }

  focus(node: BuiltNode | null): void {
    if (node === this.focused) return;
    this.focused = node;
    if (node && this.touched) this.camera = this.bounded(reveal(this.camera, node.x, node.y, this.size));
    this.events.onFocus(node);
    this.schedule();
  }

  moveFocus(direction: Direction): void {
    this.reach(nearestInDirection(this.builder.nodes, this.focused, direction));
  }

  openFocused(): void {
    if (this.focused) this.events.onOpen(this.focused);
  }

  zoomToFocused(): void {
    if (this.focused) this.zoomTo(this.focused);
  }

  /** The next node with a verdict, in the order of the grid. */
  focusNextMarked(): void {
    const marked = this.builder.nodes.filter((node) => node.mark && !node.dimmed);
    marked.sort((a, b) => a.y - b.y || a.x - b.x);
    const at = this.focused ? marked.indexOf(this.focused) : -1;
    this.reach(marked[(at + 1) % Math.max(1, marked.length)] ?? null);
  }

  private reach(node: BuiltNode | null): void {
    this.focus(node);
    if (!node) return;
    const { x, y, scale } = this.camera;
    this.events.onReach(node, (node.x + 0.5 - x) * scale, (node.y + 0.5 - y) * scale);
  }

  stop(): void {
    clearTimeout(this.step);
    cancelAnimationFrame(this.scheduled);
  }
}
