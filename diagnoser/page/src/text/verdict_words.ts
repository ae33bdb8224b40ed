// verdict_words.ts: what one verdict means: the cause's meaning, or that of the evidence that decided where a cause has
// several.
import type { Verdict } from "../api/types";
import { describeCause } from "./causes";

export function verdictMeaning({ cause, reason }: Pick<Verdict, "cause" | "reason">): string {
  // Packet loss shows in congestion windows or, where peers' counters tell them, in what was sent again.
  if (cause === "packet-loss" && reason.startsWith("retrans"))
    return "segments between it and its clients had to be sent again";
  return describeCause(cause).meaning;
}
