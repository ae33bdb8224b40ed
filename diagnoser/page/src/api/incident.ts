// incident.ts: what the page reads of an incident (limpet.verdict.v1, docs/formats): its whole life, over restarts.
// Everything but its identity may be missing: the page shows what there is.

export interface Incident {
  id: string;
  node: string;
  cause: string;
  indicted: boolean;
  since: number;
  named: number;
  last: number;
  ended: number | null;
  text: string;
  component?: string | null;
  ending?: string;
  episodes?: number;
  degree?: number;
  next_step?: string;
  evidence?: { component: string; metric: string; text: string }[];
  facts?: { text: string; next_step?: string }[];
  storms?: string[];
  shared_parts?: string[];
  acts?: { at: number; step: string; state: string; reason: string }[];
  answers?: { at: number; as: string; until: number | null; note: string; by: string }[];
}

export interface LifeEvent {
  at: number;
  text: string;
}

/** Its life in the order of time. */
export function lifeOf(incident: Incident): LifeEvent[] {
  const { since, named, last, ended, ending, acts = [], answers = [] } = incident;
  const events: LifeEvent[] = [
    { at: since, text: "began to differ from its peers, by the data" },
    { at: named, text: incident.indicted ? "named as the culprit" : "flagged; a worse server explains it" },
    ...acts.map(({ at, step, state, reason }) => ({
      at,
      text: `${step}: ${state}${reason ? `, ${reason}` : ""}`,
    })),
    ...answers.map(({ at, as, note, by }) => ({
      at,
      text: `answered: ${as}${by ? ` by ${by}` : ""}${note ? `: ${note}` : ""}`,
    })),
    ended === null
      ? { at: last, text: "last window with the verdict so far" }
      : { at: ended, text: ending ? `ended: ${ending}` : "ended: the first window without the verdict" },
  ];
  return events.sort((a, b) => a.at - b.at);
}
