// distributions.tsx: how the component's samples and its peers' spread, one over the other.
import type { Distributions as Data, EvidenceMetric } from "../api/types";
import { formatValue } from "../text/units";
import { placeOf, stepPath } from "./distribution_path";

const WIDTH = 400;
const HEIGHT = 96;
const TICKS = 4;

export function Distributions({ data, metric }: { data: Data; metric: EvidenceMetric }) {
  const most = Math.max(...data.component, ...data.peers, 1e-9);
  const low = data.edges[0] ?? 0;
  const high = data.edges.at(-1) ?? 1;
  const ticks = Array.from({ length: TICKS }, (_, i) => low + ((high - low) * i) / (TICKS - 1));
  const line = (value: number | null, kind: string) => {
    if (value === null) return null;
    const x = placeOf(value, data.edges) * WIDTH;
    return <line class={`dist-line ${kind}`} x1={x} x2={x} y1={0} y2={HEIGHT} />;
  };
  return (
    <figure class="distribution">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Distribution of samples: mean ${formatValue(metric.mean, metric.unit)}, peers' median ${formatValue(metric.peer_median, metric.unit)}`}
      >
        <path class="dist-peers" d={stepPath(data.peers, most, WIDTH, HEIGHT)} />
        <path class="dist-own" d={stepPath(data.component, most, WIDTH, HEIGHT)} />
        {line(metric.peer_median, "peers")}
        {line(metric.mean, "own")}
      </svg>
      <div class="dist-axis" aria-hidden="true">
        {ticks.map((value) => (
          <span key={value}>{formatValue(value, metric.unit)}</span>
        ))}
      </div>
    </figure>
  );
}
