// evidence_body.tsx: one metric's series and distributions beside the checklist, the facts and the next step.
import { useState } from "preact/hooks";
import type { Evidence, EvidenceMetric } from "../api/types";
import { compareToPeers, howSure, metricText } from "../text/checklist";
import { displayName } from "../text/names";
import { formatNumber, formatValue } from "../text/units";
import { Chart } from "./chart";
import { Distributions } from "./distributions";
import { useModel } from "./hooks";
import { Name } from "./parts";
import type { Theme } from "./theme";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const metricKey = (metric: EvidenceMetric): string => `${metric.component}:${metric.metric}:${metric.scale}`;

export function EvidenceBody({ evidence, theme }: { evidence: Evidence; theme: Theme }) {
  const model = useModel("address");
  const chosen =
    evidence.metrics.find((metric) => metricKey(metric) === model.address.metric) ?? evidence.metrics[0];
  return (
    <div class="evidence-columns">
      <section class="evidence-data" aria-label="Measurements">
        {evidence.metrics.length > 1 && (
          <div class="chips" role="group" aria-label="Metric">
            {evidence.metrics.map((metric) => (
              <button
                type="button"
                key={metricKey(metric)}
                class="chip"
                aria-pressed={metric === chosen}
                onClick={() => model.navigate({ metric: metricKey(metric) }, true)}
              >
                {metricText(model.cluster?.metrics ?? [], metric.metric)}
                {metric.scale !== "" && <span class="muted"> {displayName(metric.scale)}</span>}
              </button>
            ))}
          </div>
        )}
        {chosen ? (
          <MetricEvidence metric={chosen} theme={theme} />
        ) : (
          <p class="empty">No measurements are kept.</p>
        )}
      </section>
      <section class="evidence-reasons" aria-label="Reasons">
        <Checklist evidence={evidence} />
      </section>
    </div>
  );
}

function MetricEvidence({ metric, theme }: { metric: EvidenceMetric; theme: Theme }) {
  const model = useModel();
  const [context, setContext] = useState(false);
  const series = context ? metric.means : (metric.series ?? metric.means);
  const text = metricText(model.cluster?.metrics ?? [], metric.metric);
  return (
    <>
      <Figures metric={metric} />
      <div class="chart-head">
        <h3>{capital(text)}</h3>
        {metric.series && metric.means && (
          <div class="segmented" role="group" aria-label="Range">
            <button type="button" aria-pressed={!context} onClick={() => setContext(false)}>
              Windows that decided
            </button>
            <button type="button" aria-pressed={context} onClick={() => setContext(true)}>
              Hours
            </button>
          </div>
        )}
      </div>
      {series ? (
        <Chart
          series={series}
          height={190}
          theme={theme}
          suspect
          windows={metric.windows}
          label={`${text}: ${compareToPeers(metric)}`}
        />
      ) : (
        <p class="empty">Its series is no longer kept.</p>
      )}
      <ChartKey component={metric.component} suspect />
      {metric.distributions && (
        <>
          <h3>Distribution of the samples</h3>
          <Distributions data={metric.distributions} metric={metric} />
        </>
      )}
    </>
  );
}

export function ChartKey({ component, suspect = false }: { component: string; suspect?: boolean }) {
  return (
    <p class="key">
      <span class={suspect ? "key-own key-suspect" : "key-own"} /> <Name of={component} />
      <span class="key-peers" /> peers' median
      <span class="key-band" /> peers, lowest to highest
    </p>
  );
}

function Figures({ metric }: { metric: EvidenceMetric }) {
  const model = useModel("cluster");
  const figures: [string, string, string][] = [
    [displayName(metric.component), formatValue(metric.mean, metric.unit), "mean"],
    ["Peers' median", formatValue(metric.peer_median, metric.unit), "peer-median"],
    ["Degree", formatNumber(metric.degree), "degree"],
    ["Threshold", formatNumber(metric.threshold), "threshold"],
  ];
  return (
    <>
      <dl class="figures">
        {figures.map(([label, text, id]) => (
          <div key={id}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd data-figure={id}>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="sentence">
        {capital(metricText(model.cluster?.metrics ?? [], metric.metric))}: {compareToPeers(metric)};{" "}
        {howSure(metric)}.
      </p>
    </>
  );
}

function Checklist({ evidence }: { evidence: Evidence }) {
  return (
    <>
      <h3>Checklist</h3>
      <ol class="checklist">
        {evidence.checklist.map((step) => (
          <li key={step.step} class={step.decided ? "decided" : step.found ? "found" : "not-found"}>
            <span class="check" aria-hidden="true">
              {step.found ? "✓" : "–"}
            </span>
            <span>
              <span class="visually-hidden">{step.found ? "Found: " : "Not found: "}</span>
              {displayText(step.text)}
              {step.decided && <strong class="decided-mark"> Decided the cause.</strong>}
            </span>
          </li>
        ))}
      </ol>
      {evidence.facts.length > 0 && (
        <>
          <h3>Facts</h3>
          <ul class="facts">
            {evidence.facts.map((fact) => (
              <li key={fact}>{displayText(fact)}</li>
            ))}
          </ul>
        </>
      )}
      {evidence.next_step !== "" && (
        <div class="next-step">
          <h3>Next step</h3>
          <p>{displayText(evidence.next_step)}</p>
        </div>
      )}
    </>
  );
}

/** Sentences of the server hold names: bounded like them, but longer. */
function displayText(text: string): string {
  return text.length > 600 ? `${displayName(text.slice(0, 110))} …` : text;
}
