// model.ts: what the page knows, and how it learns it: the cluster, the stream's readings, verdicts, heat and the
// address. Views read it and subscribe to its topics; they change it by navigate() alone.
import { api, ApiError } from "../api/client";
import { openStream, type Places } from "../api/stream";
import type { Cluster, ClusterNode, Frame, Groups, Judged, Member, Verdict } from "../api/types";
import { HeatStrips } from "../cluster/heat";
import { Readings } from "../cluster/readings";
import { marksAt, mergeVerdicts, type Marked } from "../cluster/verdicts";
import type { Level } from "../grid/level";
import { columnsAt, detailText, holds, listPlaces, placesText, type Detail } from "./detail";
import { PastReadings } from "./past";
import { Topics } from "./topics";
import { formatAddress, HOME, parseAddress, type Address } from "./url";

export const HISTORY_SECONDS = 6 * 3600;
const HEAT_SECONDS = 2 * 3600;
const HEAT_REFRESH_MS = 60_000;
const JUDGED_REFRESH_MS = 5000;
const RETRY_MS = 3000;
const SEEK_MS = 120; // a slider that is dragged asks at most so often
const RATE = 2;
const MORE_MS = 100; // a zoom passes through several sizes
const LESS_MS = 10_000; // whoever has looked at one node looks at the next
const CATCH_UP_SECONDS = 120;
const PAST_MS = 10_000; // an answer that takes longer is none
const RANGE_STEP = 15; // seconds

export class Model {
  readonly topics = new Topics();
  readonly present = new Readings();
  readonly past = new PastReadings();
  cluster: Cluster | null = null;
  nodes = new Map<string, { node: ClusterNode; place: number }>();
  verdicts: Verdict[] = [];
  completeSince: number | null = null;
  heat = new HeatStrips();
  groups: Groups | null = null; // which kinds of disks a group was made of, which metrics storm
  members: Member[] | null = null; // the diagnosers of a federation; null: it is none, or not known
  judged: Judged | null = null; // as of now; of a replay, as of its end
  address: Address = HOME;
  connected = false;
  error: string | null = null;
  playing = false; // replay only
  private closeStream: (() => void) | null = null;
  private seekTimer: ReturnType<typeof setTimeout> | undefined;
  private away = false; // for longer than a change of streams
  private told = false; // the history of verdicts, once
  private streamed: Detail = { columns: [], places: null }; // what the stream was opened with
  private level: Level = "card";
  private places: Places | null = null; // on the screen; null: all
  private looking = false; // at one node
  private detailTimer: ReturnType<typeof setTimeout> | undefined;

  start(): void {
    this.address = parseAddress(location.search);
    window.addEventListener("popstate", () => this.readAddress());
    // A tab in the background costs the diagnoser nothing.
    document.addEventListener("visibilitychange", () => {
      this.away = true;
      this.restream();
    });
    setInterval(() => {
      if (document.hidden) return;
      if (this.address.at === null) void this.loadHeat();
      else if (this.goneBack && !this.readingsFit) void this.loadPast(true);
    }, HEAT_REFRESH_MS);
    setInterval(() => {
      if (!document.hidden && this.live && this.cluster) void this.loadJudged();
    }, JUDGED_REFRESH_MS);
    void this.load();
  }

  /** Now, or the instant the viewer has moved to. */
  get time(): number {
    // While a slider is dragged the readings of its place have not come yet.
    if (!this.live && !this.playing && this.address.at !== null) return this.address.at;
    if (!this.live) return this.latest ?? this.range.begin;
    return this.address.at ?? this.latest ?? 0;
  }

  /** Of the latest data, null before there is any. */
  private get latest(): number | null {
    return this.present.time > 0 ? this.present.time : (this.cluster?.time ?? null);
  }

  get live(): boolean {
    return this.cluster?.live ?? true;
  }

  /** The range of the timeline. */
  get range(): { begin: number; end: number } {
    const recording = this.cluster?.recording;
    if (recording) return recording;
    // In steps, so that the timeline is not laid out anew with every frame.
    const end = Math.ceil((this.latest ?? 0) / RANGE_STEP) * RANGE_STEP;
    return { begin: end - HISTORY_SECONDS, end };
  }

  /** An instant for verdicts: null is now. */
  get verdictTime(): number | null {
    return this.live ? this.address.at : this.time;
  }

  get marks(): Map<string, Marked> {
    return marksAt(this.verdicts, this.verdictTime);
  }

  /** Whether the viewer looks at an instant of the past; a replay's is its stream's. */
  get goneBack(): boolean {
    return this.live && this.address.at !== null;
  }

  /** Of the instant shown, if readingsFit. */
  get readings(): Readings {
    return this.goneBack ? this.past.readings : this.present;
  }

  /** Whether the readings belong to the order of nodes that the page has, and to the instant it shows. */
  get readingsFit(): boolean {
    const fits = this.cluster !== null && this.readings.version === this.cluster.version;
    return fits && (!this.goneBack || this.past.covers(this.address.at ?? 0));
  }

  /** Whether the readings of the instant shown are still asked for: what is drawn stays until then. */
  get readingsPending(): boolean {
    return this.goneBack && !this.past.isAnswered(this.address.at ?? 0);
  }

  /** Of which time the readings of the past are, or why there are none; empty: of now. */
  get pastText(): string {
    return this.goneBack ? this.past.describe(this.address.at ?? 0) : "";
  }

  /** The map draws nodes at this size; `places`: of those on the screen, null for all. */
  show(level: Level, places: readonly number[] | null): void {
    this.level = level;
    this.places =
      places && this.cluster ? listPlaces(places, this.cluster.version, this.cluster.nodes.length) : null;
    this.adapt();
  }

  /** The viewer looks at one node, of which all readings are shown, or does not any more. */
  look(at: boolean): void {
    this.looking = at;
    this.adapt();
  }

  private get wanted(): Detail {
    const { view, node, colour } = this.address;
    if (!this.live || view !== "cluster" || node !== null) return { columns: [], places: null };
    return { columns: this.looking ? [] : columnsAt(this.level, colour), places: this.places };
  }

  /** Opens the stream again where it lacks something soon, where it has some too many when that has lasted. */
  private adapt(): void {
    clearTimeout(this.detailTimer);
    const { wanted, streamed } = this;
    if (this.closeStream === null || detailText(wanted) === detailText(streamed)) return;
    this.detailTimer = setTimeout(() => this.restream(), holds(streamed, wanted) ? LESS_MS : MORE_MS);
  }

  navigate(change: Partial<Address>, replace = false): void {
    const before = this.address;
    this.address = { ...before, ...change };
    const text = formatAddress(this.address);
    if (replace) history.replaceState(null, "", text);
    else if (text !== formatAddress(before)) history.pushState(null, "", text);
    this.follow(before);
  }

  /** Moves to an instant; null goes back to now (or to a replay's begin). */
  seek(at: number | null): void {
    this.playing = false;
    this.navigate({ at }, true);
  }

  play(speed: number): void {
    const { begin, end } = this.range;
    const from = this.time >= end - 1 ? begin : this.time;
    this.playing = true;
    this.navigate({ speed, at: from }, true);
    this.restream();
  }

  pause(): void {
    this.playing = false;
    this.navigate({ at: this.time }, true);
    this.restream();
  }

  async load(): Promise<void> {
    try {
      await this.loadCluster();
      this.error = null;
      if (!this.live && this.address.at === null) {
        await this.loadHistory();
        this.openAtFirst();
      }
      // The nodes appear with the stream's first frame; history and heat may come later.
      this.restream();
      await Promise.all([
        this.loadHistory(),
        this.loadHeat(),
        this.loadPast(),
        this.loadJudged(),
        this.loadGroups(),
      ]);
    } catch (error) {
      this.error = error instanceof ApiError ? error.message : String(error);
      this.topics.publish("connection");
      setTimeout(() => void this.load(), RETRY_MS);
    }
  }

  /** A replay without an instant in its address opens where something limps first, not on a quiet begin. */
  private openAtFirst(): void {
    const first = this.verdicts.find((verdict) => verdict.secondary_to === null) ?? this.verdicts[0];
    if (first) this.navigate({ at: Math.ceil(first.begin) }, true);
  }

  private async loadGroups(): Promise<void> {
    try {
      this.groups = await api.groups();
      this.topics.publish("cluster");
    } catch {
      this.groups = null; // an older diagnoser: the page does without
    }
  }

  private async loadCluster(): Promise<void> {
    const cluster = await api.cluster();
    this.cluster = cluster;
    this.nodes = new Map(cluster.nodes.map((node, place) => [node.node, { node, place }]));
    this.topics.publish("cluster");
    if (this.goneBack && this.past.readings.version !== cluster.version) void this.loadPast(true);
  }

  private async loadHistory(): Promise<void> {
    const { begin, end } = this.range;
    const before = new Set(this.verdicts);
    const history = await api.history(begin, this.live ? undefined : end);
    // What the stream has told meanwhile is newer.
    const news = this.verdicts.filter((verdict) => !before.has(verdict));
    this.verdicts = mergeVerdicts(history.verdicts, news);
    this.completeSince = history.complete_since;
    this.told = true;
    this.topics.publish("verdicts");
  }

  /** What has begun or ended while no stream was open: all of it anew after an absence. */
  private async catchUp(): Promise<void> {
    if (!this.told || !this.live) return;
    try {
      if (this.away) {
        this.away = false;
        await Promise.all([this.loadHistory(), this.loadHeat()]);
        return;
      }
      const { verdicts } = await api.history(this.range.end - CATCH_UP_SECONDS);
      const known = new Map(this.verdicts.map((verdict) => [verdict.id, verdict]));
      const changed = verdicts.filter(({ id, end, last }) => {
        const other = known.get(id);
        if (other === undefined) return true;
        return other.end !== end || other.last < last;
      });
      this.verdicts = mergeVerdicts(this.verdicts, changed);
      if (changed.length > 0) this.topics.publish("verdicts");
    } catch {
      this.away = true; // the next stream that opens asks again
    }
  }

  private async loadJudged(): Promise<void> {
    await this.loadMembers();
    try {
      this.judged = await api.judged();
    } catch {
      this.judged = null; // not known is not healthy
    }
    this.topics.publish("judged");
  }

  private async loadMembers(): Promise<void> {
    if (!this.cluster?.members) return;
    try {
      this.members = (await api.members()).members;
    } catch {
      this.members = null;
    }
  }

  private async loadHeat(): Promise<void> {
    const at = this.live ? this.address.at : this.time;
    try {
      this.heat = new HeatStrips(await (at === null ? api.heat() : api.heat(at - HEAT_SECONDS, at)));
      this.topics.publish("heat");
    } catch {
      // Strips are context: without them the page shows everything else.
    }
  }

  /** `again`: even if an answer is there. */
  private async loadPast(again = false): Promise<void> {
    const { at } = this.address;
    if (!this.goneBack || at === null) return;
    const known = this.past.isAnswered(at) && this.past.readings.version === this.cluster?.version;
    if (known && !again) return;
    try {
      const past = await api.past(at, AbortSignal.timeout(PAST_MS));
      if (this.address.at === at) this.past.take(at, past);
    } catch (error) {
      if (this.address.at === at)
        this.past.fail(at, error instanceof ApiError ? error.message : String(error));
    }
    this.topics.publish("readings");
  }

  private readAddress(): void {
    const before = this.address;
    this.address = parseAddress(location.search);
    this.follow(before);
  }

  private follow(before: Address): void {
    this.topics.publish("address");
    // A stream is of the groups in focus: another filter is another stream.
    if (before.filters.groups.join("\n") !== this.address.filters.groups.join("\n")) {
      // A replay that plays goes on from what it shows.
      if (this.playing) this.address = { ...this.address, at: this.time };
      this.restream();
    } else {
      this.adapt();
    }
    const moved = before.at !== this.address.at;
    if (!moved) return;
    this.topics.publish("verdicts");
    clearTimeout(this.seekTimer);
    this.seekTimer = setTimeout(() => {
      void this.loadHeat();
      void this.loadPast();
      if (!this.live && !this.playing) this.restream();
    }, SEEK_MS);
  }

  private restream(): void {
    this.closeStream?.();
    this.closeStream = null;
    clearTimeout(this.detailTimer);
    this.streamed = this.wanted;
    if (document.hidden || !this.cluster) return;
    const replay = this.live
      ? {}
      : { from: this.address.at ?? this.range.begin, speed: this.playing ? this.address.speed : 0 };
    const { columns, places } = this.streamed;
    const asked = { columns, places: places ? placesText(places) : undefined, rate: RATE };
    this.closeStream = openStream(
      { groups: this.address.filters.groups, ...asked, ...replay },
      {
        onFrame: (frame) => this.receive(frame, places),
        onVerdict: (verdict) => {
          this.verdicts = mergeVerdicts(this.verdicts, [verdict]);
          this.topics.publish("verdicts");
        },
        onCluster: () => void this.loadCluster(),
        onEnd: () => this.ended(),
        onState: (connected) => {
          if (connected) void this.catchUp();
          else this.away = true;
          this.connected = connected;
          this.topics.publish("connection");
        },
      },
    );
  }

  private receive(frame: Frame, places: Places | null): void {
    if (!this.present.apply(frame, places)) return;
    if (frame.base && this.cluster && this.present.version !== this.cluster.version) void this.loadCluster();
    this.topics.publish("readings");
    // In a replay time itself brings verdicts and takes them away.
    if (!this.live) this.topics.publish("verdicts");
  }

  private ended(): void {
    // Only a playing replay ends; a single whole frame is not an end.
    if (!this.playing) return;
    this.playing = false;
    this.navigate({ at: this.range.end }, true);
    this.topics.publish("connection");
  }
}
