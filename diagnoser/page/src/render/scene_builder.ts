// scene_builder.ts: from what the page knows to what is drawn. A node's scene object lives as long as the node, and a
// frame of the stream only changes numbers in it.
import type { Cluster, ClusterNode, ColumnName } from "../api/types";
import type { HeatStrips } from "../cluster/heat";
import type { Readings } from "../cluster/readings";
import { NOT_SENT, UNKNOWN } from "../cluster/readings";
import { listSections, sectionKey, type SectionInfo } from "../cluster/sections";
import type { Marked } from "../cluster/verdicts";
import { Presence } from "../grid/presence";
import { layOut, slotPosition, type Block, type Frame, type Grid } from "../grid/shelves";
import { Slots } from "../grid/slots";
import { matches } from "../state/filters";
import { COLOURS, type Address, type Filters } from "../state/url";
import { describeCause } from "../text/causes";
import { displayName } from "../text/names";
import { shortForms } from "../text/units";
import { observe, WHOLE, type Domain } from "./domain";
import { glide } from "./motion";
import { loadStep } from "./palette";
import type { CardTexts, Mark, SceneNode, SceneSection } from "./renderer";
import { roleShape } from "./shapes";

// Above it values jump: gliding would draw thousands of nodes at every tick of the screen.
export const MAX_GLIDING = 1500;

export class BuiltNode implements SceneNode {
  x = 0;
  y = 0;
  opacity = 0;
  dimmed = false;
  down = false;
  mark: Mark | null = null;
  heat: SceneNode["heat"] = null;
  colour = -1;
  util = UNKNOWN;
  space = UNKNOWN;
  netIn = UNKNOWN;
  netOut = UNKNOWN;
  shown = UNKNOWN; // the byte behind the colour
  place = -1;
  readonly name: string;
  inByte = UNKNOWN;
  outByte = UNKNOWN;
  texts: CardTexts | null = null;

  constructor(
    readonly id: string,
    readonly shape: SceneNode["shape"],
  ) {
    this.name = displayName(id);
  }
}

export class SceneBuilder {
  nodes: BuiltNode[] = [];
  sections: SceneSection[] = [];
  grid: Grid = { blocks: new Map(), width: 1, height: 1, title: 0, scale: 1 };
  domain: Domain = WHOLE;
  private traffic: Domain | null = null; // one scale for both directions
  private domains = new Map<ColumnName, Domain>();
  private readonly byId = new Map<string, BuiltNode>();
  private slots = new Slots();
  private readonly presence = new Presence();
  private infos: SectionInfo[] = [];
  private frame: Frame = { width: 800, height: 600 };
  private cluster: Cluster | null = null; // of the nodes that are on the map

  find(id: string): BuiltNode | undefined {
    return this.byId.get(id);
  }

  setFrame(frame: Frame): void {
    this.frame = frame;
    this.layOut();
  }

  /** The map begins anew: nodes close ranks, and none fades. */
  reset(): void {
    this.slots = new Slots();
    this.cluster = null;
    this.byId.clear();
  }

  /** `kept`: which nodes are on the map. */
  setCluster(whole: Cluster, now: number, kept: (node: ClusterNode) => boolean = () => true): void {
    const first = this.cluster === null;
    const cluster = { ...whole, nodes: whole.nodes.filter(kept) };
    const places = new Map(whole.nodes.map((node, place) => [node.node, place]));
    this.cluster = cluster;
    this.slots.update(cluster.nodes.map((node) => ({ node: node.node, section: sectionKey(node) })));
    this.presence.update(
      cluster.nodes.map((node) => node.node),
      now,
      first,
    );
    this.infos = listSections(cluster);
    // Who has left and still fades has no reading any more.
    for (const node of this.byId.values()) node.place = -1;
    cluster.nodes.forEach((node) => {
      let built = this.byId.get(node.node);
      if (built?.shape !== roleShape(node.role)) {
        built = new BuiltNode(node.node, roleShape(node.role));
        this.byId.set(node.node, built);
      }
      built.place = places.get(node.node) ?? -1;
      built.down = node.up === false;
    });
    this.layOut();
  }

  private layOut(): void {
    const { cluster } = this;
    if (!cluster) return;
    const sections = this.infos.map((info) => ({ key: info.key, slots: this.slots.size(info.key) }));
    this.grid = layOut(sections, this.frame);
    for (const node of cluster.nodes) {
      const block = this.grid.blocks.get(sectionKey(node));
      const slot = this.slots.slot(node.node);
      const built = this.byId.get(node.node);
      if (block && built && slot !== undefined) Object.assign(built, slotPosition(block, slot));
    }
    this.sections = this.infos.flatMap((info) => {
      const block = this.grid.blocks.get(info.key);
      if (!block) return [];
      const { x, y } = block;
      return [{ title: info.title, detail: info.detail, x, y, width: titleWidth(this.grid, block) }];
    });
    this.nodes = [...this.byId.values()];
  }

  setMarks(marks: ReadonlyMap<string, Marked>, filters: Filters): void {
    for (const { node } of this.entries()) {
      const built = this.byId.get(node.node);
      if (!built) continue;
      const marked = marks.get(node.node);
      built.mark = marked ? describeMark(marked) : null;
      built.dimmed = !matches(node, marked?.verdict.cause ?? null, filters);
    }
  }

  setHeat(heat: HeatStrips): void {
    for (const node of this.nodes) node.heat = heat.strips.get(node.id) ?? null;
  }

  private *entries() {
    if (this.cluster) for (const node of this.cluster.nodes) yield { node };
  }

  /** Takes over the readings; `fit`: they belong to this cluster and to the instant shown. */
  setReadings(readings: Readings, fit: boolean, address: Address): void {
    const bytes = fit ? readings.bytes(address.colour) : undefined;
    if (bytes) {
      const domain = observe(bytes, this.domains.get(address.colour) ?? null, readings.partial);
      if (domain) this.domains.set(address.colour, domain);
    }
    this.domain = this.domains.get(address.colour) ?? WHOLE;
    for (const name of ["net_in", "net_out"] as const) {
      const seen = fit ? readings.bytes(name) : undefined;
      if (seen) this.traffic = observe(seen, this.traffic, readings.partial);
    }
    const up = fit ? readings.bytes("up") : undefined;
    for (const node of this.nodes) {
      if (up && (up[node.place] ?? UNKNOWN) >= 0) node.down = up[node.place] === 0;
      else if (!fit && address.at !== null) node.down = false; // who did not answer then is not known
    }
  }

  /** Lets values glide for `elapsed` ms; false when nothing moves any more. `fit` null: what is drawn stays for now. */
  advance(
    readings: Readings,
    fit: boolean | null,
    colour: ColumnName,
    now: number,
    elapsed: number,
  ): boolean {
    const step = this.nodes.length > MAX_GLIDING ? Infinity : elapsed;
    const state = { moving: false };
    const next = (bytes: Int16Array | undefined, place: number, shown: number): number => {
      // A column that is on its way leaves what is there.
      if (fit === null || (fit && !bytes)) return shown;
      const target = fit ? (bytes?.[place] ?? UNKNOWN) : UNKNOWN;
      if (target === NOT_SENT) return shown; // until it comes into view
      const value = glide(shown, target, step);
      if (value !== target) state.moving = true;
      return value;
    };
    const bytesOf = (name: ColumnName) => readings.bytes(name);
    const [shown, util, space] = [bytesOf(colour), bytesOf("util"), bytesOf("space")];
    const [netIn, netOut] = [bytesOf("net_in"), bytesOf("net_out")];
    for (const node of this.nodes) {
      node.opacity = this.presence.opacity(node.id, now);
      node.shown = next(shown, node.place, node.shown);
      node.util = next(util, node.place, node.util);
      node.space = next(space, node.place, node.space);
      node.inByte = next(netIn, node.place, node.inByte);
      node.outByte = next(netOut, node.place, node.outByte);
      node.netIn = shareOf(node.inByte, this.traffic);
      node.netOut = shareOf(node.outByte, this.traffic);
      node.colour = node.shown < 0 ? -1 : loadStep(node.shown, this.domain.low, this.domain.high);
    }
    this.bury(now);
    return state.moving || !this.presence.settled(now);
  }

  /** Forgets nodes that have left and faded. */
  private bury(now: number): void {
    const before = this.byId.size;
    const fading = new Set(this.presence.fading(now));
    if (before === (this.cluster?.nodes.length ?? 0) + fading.size) return;
    const present = new Set(this.cluster?.nodes.map((node) => node.node));
    for (const id of [...this.byId.keys()]) if (!present.has(id) && !fading.has(id)) this.byId.delete(id);
    this.nodes = [...this.byId.values()];
  }

  /** Texts of the nodes that are drawn as cards: the only level that shows them. */
  writeTexts(readings: Readings, fit: boolean, colour: ColumnName): void {
    for (const node of this.nodes) {
      if (fit && !readings.isSent(node.place)) continue;
      node.texts = fit && !node.down ? cardTexts(readings, node.place, colour) : null;
    }
  }
}

/** A title may reach to the next section of its shelf, or to the grid's edge. */
function titleWidth(grid: Grid, block: Block): number {
  let end = grid.width;
  for (const other of grid.blocks.values())
    if (other.y === block.y && other.x > block.x) end = Math.min(end, other.x);
  return end - block.x;
}

function cardTexts(readings: Readings, place: number, colour: ColumnName): CardTexts {
  const text = (name: ColumnName) => {
    const value = readings.value(name, place);
    return value === null ? [] : shortForms(value, readings.column(name)?.unit ?? "");
  };
  const all = COLOURS.flatMap((name): [string, string][] => {
    const [value] = text(name);
    return value === undefined ? [] : [[readings.column(name)?.text ?? name, value]];
  });
  return { shown: text(colour), netIn: text("net_in"), netOut: text("net_out"), all };
}

// The least traffic is still seen: an arrow of no size would say that there is none.
const MIN_SHARE = 0.06;

function shareOf(byte: number, domain: Domain | null): number {
  if (byte < 0 || !domain) return UNKNOWN;
  if (byte === 0) return 0;
  return Math.min(1, Math.max(MIN_SHARE, (byte - domain.low) / (domain.high - domain.low)));
}

function describeMark({ verdict, secondary }: Marked): Mark {
  const cause = describeCause(verdict.cause);
  return { letter: cause.letter, family: cause.family, secondary, text: displayName(verdict.cause) };
}
