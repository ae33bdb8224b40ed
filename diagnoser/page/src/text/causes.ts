// causes.ts: a root cause in words and in signs. The table of all of them is made from the server's.
import { CAUSES } from "./cause_table";

export type Family = "storage" | "network" | "behaviour" | "unknown";

export interface Cause {
  name: string;
  letter: string; // shown on the ring: colour is never the only sign
  family: Family;
  meaning: string;
}

const UNKNOWN: Omit<Cause, "name"> = {
  letter: "?",
  family: "unknown",
  meaning: "a cause that this page does not know",
};

/** The cause of that name; one that a newer server has invented is shown under its own name. */
export function describeCause(name: string): Cause {
  return CAUSES.find((cause) => cause.name === name) ?? { ...UNKNOWN, name };
}
