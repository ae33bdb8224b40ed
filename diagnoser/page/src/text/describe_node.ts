// describe_node.ts: a node in one sentence, for those who hear the page.
import type { ColumnName } from "../api/types";
import type { Model } from "../state/model";
import { displayName } from "./names";
import { describeServer } from "./standing";
import { formatValue } from "./units";
import { verdictMeaning } from "./verdict_words";

const SPOKEN: readonly ColumnName[] = ["load", "util", "net_in", "net_out"];

/** The node's readings that are known, as label and text. */
export function nodeValues(
  model: Model,
  id: string,
  columns: readonly ColumnName[],
): { label: string; text: string }[] {
  const entry = model.nodes.get(id);
  if (!entry || !model.readingsFit) return [];
  return columns.flatMap((name) => {
    const value = model.readings.value(name, entry.place);
    const column = model.readings.column(name);
    return value === null || !column ? [] : [{ label: column.text, text: formatValue(value, column.unit) }];
  });
}

/** Whether all that is spoken of the node comes with the stream; false while it is of a far zoom, or of other nodes. */
export function isSpokenWhole(model: Model, id: string): boolean {
  const place = model.nodes.get(id)?.place ?? -1;
  return SPOKEN.every((name) => model.readings.column(name) !== undefined) && model.readings.isSent(place);
}

/** At the instant shown. */
export function isDown(model: Model, id: string): boolean {
  const entry = model.nodes.get(id);
  if (!entry) return false;
  const up = model.readingsFit ? model.readings.value("up", entry.place) : null;
  return up === null ? !model.goneBack && entry.node.up === false : up === 0;
}

export function describeNode(model: Model, id: string): string {
  const entry = model.nodes.get(id);
  if (!entry) return "";
  const mark = model.marks.get(id);
  const parts = [displayName(id), displayName(entry.node.role) || "no role"];
  if (isDown(model, id)) parts.push("does not answer");
  if (mark) {
    const meaning = verdictMeaning(mark.verdict);
    parts.push(`${displayName(mark.verdict.cause)}${mark.secondary ? ", secondary" : ""}: ${meaning}`);
  } else {
    const server = model.judged?.servers.find((one) => one.node === id);
    parts.push((model.verdictTime === null && describeServer(server)) || "no verdict");
  }
  if (model.goneBack && !model.readingsFit) parts.push(model.pastText);
  for (const { label, text } of nodeValues(model, id, SPOKEN)) parts.push(`${label} ${text}`);
  return parts.join(", ");
}
