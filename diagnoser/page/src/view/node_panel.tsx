// node_panel.tsx: micro: one node: what it does now, each of its components over its peers, its verdicts.
import { api } from "../api/client";
import type { ClusterNode, Series } from "../api/types";
import { metricText } from "../text/checklist";
import { isDown, nodeValues } from "../text/describe_node";
import { describeServer } from "../text/standing";
import { formatClock, formatDuration, formatValue } from "../text/units";
import { ActivityPart } from "./activity_part";
import { Chart } from "./chart";
import { ChartKey } from "./evidence_body";
import { useAnswer, useModel, useTick } from "./hooks";
import { CauseTag, Dashboard, Icon, Name, Problem } from "./parts";
import type { Theme } from "./theme";

const REFRESH_MS = 16_000;
const CONTEXT_SECONDS = 3600;
const VALUES = [
  "load",
  "cpu",
  "system_load",
  "util",
  "space",
  "metadata",
  "disk_read",
  "disk_write",
  "net_in",
  "net_out",
] as const;

export function NodePanel({ id, theme }: { id: string; theme: Theme }) {
  const model = useModel("cluster", "address", "judged");
  const entry = model.nodes.get(id);
  const standing =
    model.verdictTime === null ? describeServer(model.judged?.servers.find((one) => one.node === id)) : "";
  return (
    <aside class="panel" aria-label="Node">
      <header class="panel-head">
        <h2>
          <Name of={id} />
        </h2>
        <button
          type="button"
          class="button icon-button"
          aria-label="Close"
          onClick={() => model.navigate({ node: null })}
        >
          <Icon name="close" />
        </button>
      </header>
      {entry ? (
        <>
          <Labels node={entry.node} />
          <NodeDashboard id={id} />
          {standing !== "" && <p class="standing">{standing}</p>}
          <NodeVerdicts id={id} />
          <Values id={id} />
          <ActivityPart id={id} theme={theme} />
          <Components id={id} theme={theme} />
        </>
      ) : (
        <p class="empty">No node of this name is known now.</p>
      )}
    </aside>
  );
}

function NodeDashboard({ id }: { id: string }) {
  const { at } = useModel("address").address;
  return <Dashboard node={id} span={at === null ? null : { begin: at, end: at }} />;
}

function Labels({ node }: { node: ClusterNode }) {
  const model = useModel("readings", "address");
  return (
    <p class="labels">
      <span class="label">
        <Name of={node.role || "no role"} />
      </span>
      {isDown(model, node.node) && <span class="label label-warn">does not answer</span>}
      {Object.entries(node.labels).map(([key, value]) => (
        <span class="label" key={key}>
          <Name of={key} />=<Name of={value} />
        </span>
      ))}
    </p>
  );
}

function NodeVerdicts({ id }: { id: string }) {
  const model = useModel("verdicts");
  const verdicts = model.verdicts
    .filter((verdict) => verdict.node === id)
    .reverse()
    .slice(0, 8);
  if (verdicts.length === 0) return <p class="muted">No verdict in the last hours.</p>;
  return (
    <ul class="node-verdicts">
      {verdicts.map((verdict) => (
        <li key={verdict.id}>
          <button
            type="button"
            class="row-button"
            onClick={() => model.navigate({ evidence: verdict.id, metric: null })}
          >
            <CauseTag cause={verdict.cause} quiet={verdict.end !== null} />
            <span class="muted">
              since {formatClock(verdict.since, false)}
              {verdict.end === null ? ", going on" : `, for ${formatDuration(verdict.end - verdict.since)}`}
            </span>
            <span class="why">Why?</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Values({ id }: { id: string }) {
  const model = useModel("readings", "address");
  const values = nodeValues(model, id, VALUES);
  if (values.length === 0) return model.pastText ? <p class="muted">{model.pastText}</p> : null;
  return (
    <dl class="tiles">
      {values.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Components({ id, theme }: { id: string; theme: Theme }) {
  const model = useModel("cluster", "address");
  const tick = useTick(REFRESH_MS);
  const at = model.live ? model.address.at : Math.round(model.time);
  const key = `${id} ${at ?? `now ${tick}`}`;
  const { value, error } = useAnswer(key, (signal) =>
    at === null
      ? api.series(id, undefined, undefined, signal)
      : api.series(id, at - CONTEXT_SECONDS, at, signal),
  );
  if (error !== null) return <Problem text={error} />;
  const series = value?.node === id ? value.series : [];
  if (series.length === 0) return value ? <p class="empty">No series are kept for this node.</p> : null;
  const components = [...new Set(series.map((one) => one.component))];
  return (
    <>
      {components.map((component) => (
        <section class="component" key={component}>
          <h3>
            <Name of={component} />
          </h3>
          {series
            .filter((one) => one.component === component)
            .map((one) => (
              <SmallChart key={`${one.preset} ${one.metric}`} series={one} theme={theme} />
            ))}
        </section>
      ))}
      <ChartKey component="this component" />
    </>
  );
}

function SmallChart({ series, theme }: { series: Series; theme: Theme }) {
  const model = useModel();
  const text = metricText(model.cluster?.metrics ?? [], series.metric);
  const last = series.value.at(-1) ?? null;
  return (
    <div class="small-chart">
      <p class="small-chart-head">
        <span>{text}</span>
        <strong>{formatValue(last, series.unit)}</strong>
      </p>
      <Chart
        series={series}
        height={92}
        theme={theme}
        label={`${text}: ${formatValue(last, series.unit)} last`}
      />
    </div>
  );
}
