// standing.ts: whether anybody limps, in a few words: silence about a server that nobody compares is not health.
import type { Judged, JudgedServer, Member } from "../api/types";
import { formatClock } from "./units";

export interface Standing {
  tone: "good" | "bad" | "part" | "unknown";
  title: string;
  text: string;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Diagnosers of a federation whose part is not known now. */
function silent(members: readonly Member[]): string {
  const names = members
    .filter(({ marks }) => marks.some(({ mark }) => mark === "down" || mark === "late"))
    .map(({ member }) => member);
  return names.length > 0 ? `not known now: ${names.join(", ")}` : "";
}

/** `judged`: null is not known; `past`: the instant shown is not now, and of it only verdicts are kept. */
export function describeStanding(
  indicted: number,
  judged: Judged | null,
  past: boolean,
  members: readonly Member[] = [],
): Standing {
  const missing = judged?.not_judged ?? 0;
  if (indicted > 0) {
    const text = !past && judged !== null && missing > 0 ? judged.text : "";
    return { tone: "bad", title: count(indicted, "node limps", "nodes limp"), text };
  }
  if (past) return { tone: "unknown", title: "No verdict then", text: "" };
  if (judged === null) return { tone: "unknown", title: "Not judged", text: "Who is compared is not known." };
  if (judged.like_peers + judged.limps === 0) {
    const text =
      judged.first_verdict === null
        ? judged.text
        : `no server is judged: first verdict possible at ${formatClock(judged.first_verdict)}`;
    return { tone: "unknown", title: "Not judged", text };
  }
  if (missing > 0) {
    const all = missing + judged.like_peers + judged.limps;
    return {
      tone: "part",
      title: `None limps of ${all - missing}, ${missing} not judged`,
      text: judged.text,
    };
  }
  const unknown = silent(members);
  if (unknown) return { tone: "part", title: `None limps, ${unknown}`, text: judged.text };
  return { tone: "good", title: "Nobody limps", text: "All servers are compared, and like their peers." };
}

/** What is said of one server; empty when it is like its peers or limps. */
export function describeServer(server: JudgedServer | undefined): string {
  if (server?.state !== "not-judged") return "";
  return server.reason === "too-early" && server.first_verdict !== null
    ? `not judged: first verdict possible at ${formatClock(server.first_verdict)}`
    : server.text;
}
