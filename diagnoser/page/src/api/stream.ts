// stream.ts: the live stream. The browser reconnects by itself and says how far it got (Last-Event-ID); this
// module reports what came and whether the stream stands, and opens it again when the browser gives up.
import type { Frame, Verdict } from "./types";

export interface StreamHandlers {
  onFrame(frame: Frame): void;
  onVerdict(verdict: Verdict): void;
  onCluster(): void;
  onEnd(): void;
  onState(connected: boolean): void;
}

export type PlaceRange = readonly [first: number, last: number]; // of nodes in the cluster, both included

/** Nodes on the screen, by their places in the cluster of that version. */
export interface Places {
  version: number;
  nodes: number; // of the cluster
  ranges: readonly PlaceRange[];
}

export interface StreamQuery {
  groups: readonly string[]; // none: all
  columns: readonly string[];
  places?: string | undefined; // of the nodes that are asked for; none: all
  rate: number;
  from?: number | undefined; // replay only
  speed?: number | undefined;
}

const RETRY_MS = 3000;

export function streamAddress(query: StreamQuery): string {
  const text = new URLSearchParams();
  for (const group of query.groups) text.append("group", group);
  if (query.columns.length > 0) text.set("columns", query.columns.join(","));
  if (query.places !== undefined) text.set("places", query.places);
  text.set("rate", String(query.rate));
  if (query.from !== undefined) text.set("from", String(query.from));
  if (query.speed !== undefined) text.set("speed", String(query.speed));
  return `/api/v1/stream?${text.toString()}`;
}

/** Opens the stream; the returned function closes it for good. */
export function openStream(query: StreamQuery, handlers: StreamHandlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const listen = (name: string, handle: (data: string) => void) => {
    source?.addEventListener(name, (event) => {
      if (!closed) handle((event as MessageEvent<string>).data);
    });
  };
  const open = () => {
    source = new EventSource(streamAddress(query));
    source.onopen = () => handlers.onState(true);
    source.onerror = () => {
      if (closed) return;
      handlers.onState(false);
      // After an answer such as 503 the browser does not try again.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
    };
    listen("frame", (data) => handlers.onFrame(JSON.parse(data) as Frame));
    listen("verdict", (data) => handlers.onVerdict(JSON.parse(data) as Verdict));
    listen("cluster", () => handlers.onCluster());
    listen("end", () => {
      source?.close();
      handlers.onEnd();
    });
  };
  open();
  return () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
  };
}
