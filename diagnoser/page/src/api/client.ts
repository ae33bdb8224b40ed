// client.ts: one question to the API. Errors carry the reason that the server gives.
import type { Incident } from "./incident";
import type {
  Activity,
  AnswerRequest,
  Cluster,
  Evidence,
  Groups,
  Heat,
  IncidentList,
  Judged,
  Members,
  Past,
  Precision,
  SeriesList,
  Top,
  VerdictHistory,
} from "./types";

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: no answer at all
    message: string,
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | undefined>;

function address(path: string, query: Query): string {
  const pairs = Object.entries(query).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined,
  );
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

function isReason(body: unknown): body is { reason: string } {
  return typeof body === "object" && body !== null && "reason" in body && typeof body.reason === "string";
}

async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (isReason(body)) return new ApiError(response.status, body.reason);
  } catch {
    // Basic auth and proxies answer in plain text.
  }
  return new ApiError(response.status, text.trim().slice(0, 300) || `status ${response.status}`);
}

async function ask<T>(path: string, options: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, "The diagnoser does not answer.");
  }
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as T;
}

function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return ask<T>(address(path, query), { headers: { Accept: "application/json" }, signal: signal ?? null });
}

export interface EvidenceQuery {
  id?: string | undefined;
  node?: string | undefined;
  cause?: string | undefined;
  at?: number | undefined;
}

export const api = {
  cluster: () => get<Cluster>("/api/v1/cluster"),
  history: (from: number, to?: number) => get<VerdictHistory>("/api/v1/verdicts", { from, to }),
  incidents: (span: { from: number; to: number; before: string | undefined }, signal?: AbortSignal) =>
    get<IncidentList>("/api/v1/incidents", span, signal),
  incident: (id: string, signal?: AbortSignal) =>
    get<Incident>(`/api/v1/incidents/${encodeURIComponent(id)}`, {}, signal),
  precision: (signal?: AbortSignal) => get<Precision>("/api/v1/precision", {}, signal),
  /** The diagnoser refuses it without a password or certificate, and from the page of another site. */
  answer: (id: string, body: AnswerRequest) =>
    ask<unknown>(`/api/v1/incidents/${encodeURIComponent(id)}/answer`, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  members: () => get<Members>("/api/v1/members"),
  groups: () => get<Groups>("/api/v1/groups"),
  judged: (node?: string, signal?: AbortSignal) => get<Judged>("/api/v1/judged", { node }, signal),
  heat: (from?: number, to?: number) => get<Heat>("/api/v1/heat", { from, to }),
  past: (at: number, signal?: AbortSignal) => get<Past>("/api/v1/past", { at }, signal),
  top: (signal?: AbortSignal) => get<Top>("/api/v1/top", { hourly: 1 }, signal),
  series: (node: string, from?: number, to?: number, signal?: AbortSignal) =>
    get<SeriesList>("/api/v1/series", { node, from, to }, signal),
  activity: (node: string, from?: number, to?: number, signal?: AbortSignal) =>
    get<Activity>("/api/v1/activity", { node, from, to }, signal),
  evidence: ({ id, node, cause, at }: EvidenceQuery, signal?: AbortSignal) =>
    id
      ? get<Evidence>(`/api/v1/evidence/${encodeURIComponent(id)}`, {}, signal)
      : get<Evidence>("/api/v1/evidence", { node, cause, at }, signal),
};
