// What the storage says of its own requests: a row a file of metrics (config/metrics), a panel a metric.
import { readFileSync, readdirSync } from 'node:fs';
import { RowBuilder, type DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import type { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries';
import { parse } from 'yaml';
import { board, DIAGNOSER, EXPORTER, exporterJob, lines, type Query } from './parts.js';

const FOLDER = new URL('../../config/metrics/', import.meta.url);

interface Join {
  join: string;
  on: string[];
  label: string;
}

interface Metric {
  name: string;
  text: string;
  unit: string;
  series: { counter?: string; gauge?: string; histogram?: string; mean?: { sum: string; count: string } };
  labels?: Record<string, string>;
  not_labels?: Record<string, string>;
  component?: string[];
  node?: Join | { label: string };
  factor?: number;
  asks?: string;
}

const UNITS: Record<string, string> = { s: 's', ms: 'ms', us: 'µs', ns: 'ns', B: 'bytes', 'B/s': 'Bps', '1/s': 'ops' };

// Exporters of nodes are asked by their job; that of a storage has the name that the site gave it.
function selector({ labels = {}, not_labels = {} }: Metric, series: string): string {
  const matchers = (how: string, of: Record<string, string>): string[] =>
    Object.entries(of).map(([name, value]) => `${name}${how}"${value.replaceAll('\\', '\\\\')}"`);
  const all = [...(/^(limpet|node)_/.test(series) ? [EXPORTER] : []), ...matchers('=~', labels), ...matchers('!~', not_labels)];
  return all.length > 0 ? `{${all.join(', ')}}` : '';
}

const isJoin = (node: Metric['node']): node is Join => node !== undefined && 'join' in node;

// The labels that tell lines apart: those of the component, and of its node or page.
function labels(metric: Metric): string[] {
  const { component = [], node, asks } = metric;
  const own = node === undefined ? ['node', 'instance'] : isJoin(node) ? [] : [node.label];
  return [...new Set([...own, ...component, ...(asks === undefined ? [] : [asks])])];
}

// The expression with the label of the node that another series knows.
function joined(expr: string, { node }: Metric): string {
  return isJoin(node)
    ? `(${expr}) * on (${node.on.join(', ')}) group_left (${node.label}) max by (${[...node.on, node.label].join(', ')}) (${node.join})`
    : expr;
}

function queries(metric: Metric): Query[] {
  const { series, factor, asks } = metric;
  const by = labels(metric).join(', ');
  const legend = [...labels(metric), ...(isJoin(metric.node) ? [metric.node.label] : [])].map((one) => `{{${one}}}`).join(' ');
  const increase = (name: string, more = ''): string =>
    `sum by (${by}${more}) (rate(${name}${selector(metric, name)}[$__rate_interval]))`;
  const made = (expr: string, of = ''): Query => ({
    expr: joined(factor === undefined ? expr : `(${expr}) * ${factor}`, metric),
    legend: of + legend,
  });
  if (series.mean !== undefined) {
    return [made(`${increase(series.mean.sum)} / ${increase(series.mean.count)}`)];
  }
  if (series.histogram !== undefined) {
    const buckets = increase(`${series.histogram}_bucket`, ', le');
    return [0.5, 0.99].map((share) => made(`histogram_quantile(${share}, ${buckets})`, `p${100 * share} `));
  }
  if (series.gauge !== undefined) {
    return [made(`max by (${by}) (${series.gauge}${selector(metric, series.gauge)})`)];
  }
  const counted = increase(series.counter ?? '');
  return [made(asks === undefined ? counted : `topk(10, ${counted})`)];
}

function panel(metric: Metric): TimeSeries {
  const title = metric.text.charAt(0).toUpperCase() + metric.text.slice(1);
  return lines({
    title: metric.asks === undefined ? title : `Who asks: ${metric.text}`,
    description:
      metric.asks === undefined
        ? `${metric.name}. Peers should lie on top of each other.`
        : `${metric.name}, the ten largest. Beside a verdict stands who moves most at its server.`,
    queries: queries(metric),
    unit: UNITS[metric.unit] ?? `suffix:${metric.unit}`,
    min: 0,
  });
}

function degrees(metrics: Metric[]): TimeSeries {
  const names = metrics.filter((one) => one.asks === undefined).map((one) => one.name);
  return lines({
    title: 'Degree',
    description: 'Filtered degree of every component: over 1 it is flagged. Cut at 100.',
    queries: [
      {
        expr: `clamp_max(max by (node, device, metric) (limpet_anomaly_degree{${DIAGNOSER}, metric=~"${names.join('|')}"}), 100)`,
        legend: '{{node}} {{device}} {{metric}}',
      },
    ],
    min: 0,
    limit: 1,
  });
}

// The row of a file; its title is what the first line begins with.
function row(text: string): RowBuilder {
  const { metrics } = parse(text) as { metrics: Metric[] };
  const [title = ''] = text.slice('# '.length).split(/[:,]| with | \d/);
  const made = new RowBuilder(title).collapsed(true);
  const panels = metrics.map(panel);
  for (const one of metrics.some(({ asks }) => asks === undefined) ? [degrees(metrics), ...panels] : panels) {
    made.withPanel(one);
  }
  return made;
}

export function storage(): DashboardBuilder {
  const made = board('storage', 'What the storage says of its own requests: a row for each file of metrics that comes with Limpet.')
    .withVariable(exporterJob());
  for (const name of readdirSync(FOLDER).sort()) {
    made.withRow(row(readFileSync(new URL(name, FOLDER), 'utf8')));
  }
  return made;
}
