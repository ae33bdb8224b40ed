// model.ts: what the page knows, and how it learns it: the cluster, the stream's readings, verdicts, heat and the
// address. Views read it and subscribe to its topics; they change it by navigate() alone.
import { api, ApiError } from "../api/client";
import { openStream } from "../api/stream";
import type { Cluster, ClusterNode, Frame, Groups, Judged, Member, Verdict } from "../api/types";
import { HeatStrips } from "../cluster/heat";
import { Readings } from "../cluster/readings";
import { marksAt, mergeVerdicts, type Marked } from "../cluster/verdicts";
import { Topics } from "./topics";
import { formatAddress, HOME, parseAddress, type Address } from "./url";

export const HISTORY_SECONDS = 6 * 3600;
const HEAT_SECONDS = 2 * 3600;
const HEAT_REFRESH_MS = 60_000;
const JUDGED_REFRESH_MS = 5000;
const RETRY_MS = 3000;
const SEEK_MS = 120; // a slider that is dragged asks at most so often
const RATE = 2;
const RANGE_STEP = 15; // seconds

export class Model {
  readonly topics = new Topics();
  readonly readings = new Readings();
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

  start(): void {
    this.address = parseAddress(location.search);
    window.addEventListener("popstate", () => this.readAddress());
    // A tab in the background costs the diagnoser nothing.
    document.addEventListener("visibilitychange", () => this.restream());
    setInterval(() => {
      if (!document.hidden && this.address.at === null) void this.loadHeat();
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
    return this.readings.time > 0 ? this.readings.time : (this.cluster?.time ?? null);
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

  /** Whether the readings belong to the order of nodes that the page has, and to the instant it shows. */
  get readingsFit(): boolean {
    const fits = this.cluster !== null && this.readings.version === this.cluster.version;
    return fits && (!this.live || this.address.at === null);
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
      await Promise.all([this.loadHistory(), this.loadHeat(), this.loadJudged(), this.loadGroups()]);
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
  }

  private async loadHistory(): Promise<void> {
    const { begin, end } = this.range;
    const history = await api.history(begin, this.live ? undefined : end);
    this.verdicts = mergeVerdicts([], history.verdicts);
    this.completeSince = history.complete_since;
    this.topics.publish("verdicts");
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
    }
    const moved = before.at !== this.address.at;
    if (!moved) return;
    this.topics.publish("verdicts");
    clearTimeout(this.seekTimer);
    this.seekTimer = setTimeout(() => {
      void this.loadHeat();
      if (!this.live && !this.playing) this.restream();
    }, SEEK_MS);
  }

  private restream(): void {
    this.closeStream?.();
    this.closeStream = null;
    if (document.hidden || !this.cluster) return;
    const replay = this.live
      ? {}
      : { from: this.address.at ?? this.range.begin, speed: this.playing ? this.address.speed : 0 };
    this.closeStream = openStream(
      { groups: this.address.filters.groups, columns: [], rate: RATE, ...replay },
      {
        onFrame: (frame) => this.receive(frame),
        onVerdict: (verdict) => {
          this.verdicts = mergeVerdicts(this.verdicts, [verdict]);
          this.topics.publish("verdicts");
        },
        onCluster: () => void this.loadCluster(),
        onEnd: () => this.ended(),
        onState: (connected) => {
          this.connected = connected;
          this.topics.publish("connection");
        },
      },
    );
  }

  private receive(frame: Frame): void {
    if (!this.readings.apply(frame)) return;
    if (frame.base && this.cluster && this.readings.version !== this.cluster.version) void this.loadCluster();
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
