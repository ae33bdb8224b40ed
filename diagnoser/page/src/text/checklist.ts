// checklist.ts: the numbers of one metric's evidence in plain words.
import type { EvidenceMetric, Metric } from "../api/types";
import { displayName } from "./names";
import { formatNumber, formatValue } from "./units";

export function metricText(metrics: readonly Metric[], label: string): string {
  return metrics.find((metric) => metric.metric === label)?.text ?? label.replaceAll("_", " ");
}

function subject(metric: EvidenceMetric): string {
  return displayName(metric.component);
}

/** "io04/sdb 60 ms, its peers 10 ms: 6 times as much". */
export function compareToPeers(metric: EvidenceMetric): string {
  const own = formatValue(metric.mean, metric.unit);
  const peers = formatValue(metric.peer_median, metric.unit);
  const ratio = times(metric);
  return `${subject(metric)} ${own}, its peers ${peers}${ratio ? `: ${ratio}` : ""}`;
}

/** "6 times as much", "a third as much"; empty when one of the two is not known or nothing. */
export function times(metric: EvidenceMetric): string {
  const { mean, peer_median: peers } = metric;
  if (mean === null || peers === null || peers === 0 || mean === 0) return "";
  const ratio = mean / peers;
  if (ratio >= 1) return `${formatNumber(Number(ratio.toPrecision(2)))} times as much`;
  return `${formatNumber(Math.round(ratio * 100))} % of it`;
}

/** "far from 4 of 5 peers in 3 of the last 5 windows". */
export function howSure(metric: EvidenceMetric): string {
  const anomalous = metric.windows.filter((window) => window.anomalous).length;
  const windows = `in ${anomalous} of the last ${metric.windows.length} windows`;
  if (metric.far === null) return `apart from its ${metric.peers} peers ${windows}`;
  return `far from ${metric.far} of ${metric.peers} peers ${windows}`;
}
