// Who is indicted now, who was, and how far everybody is from being so.
import { PanelBuilder as Heatmap } from '@grafana/grafana-foundation-sdk/heatmap';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import {
  awaitOf,
  board,
  DIAGNOSER,
  datasource,
  either,
  EXPORTER,
  exporterJob,
  lines,
  node,
  number,
  peerGroup,
  preset,
  states,
  table,
  words,
} from './parts.js';
import { withNextStep } from './next_steps.js';

const HERE = `${DIAGNOSER}, peer_group=~"$peer_group", preset=~"$preset", node=~"$node"`;

// The index of the sentence: the largest of the conditions that hold.
const STATE = [
  `(count(limpet_target_up{${DIAGNOSER}} == 0) or count(limpet_node_not_judged{${DIAGNOSER}, reason!="no-peer-group"}) or vector(0)) > bool 0`,
  `2 * ((sum(limpet_group_storm{${DIAGNOSER}}) or vector(0)) > bool 0)`,
  `3 * ((sum(limpet_indicted{${DIAGNOSER}}) or vector(0)) > bool 0)`,
  // Silence is green only where somebody is judged.
  `4 * ((sum(limpet_node_judged{${DIAGNOSER}}) or vector(0)) == bool 0)`,
]
  .map((one, i) => `label_replace(${one}, "of", "${i}", "", "")`)
  .join(' or ');

const AWAIT = `max by (node, device) (${either((first) => awaitOf(first, `${EXPORTER}, node=~"$node"`), 'device')})`;

export function overview(): DashboardBuilder {
  const heatmap = new Heatmap()
    .title('Degrees')
    .description(
      'How many components have which degree: a healthy cluster is dark near 0, a limping server stands alone over 1.',
    )
    .datasource(datasource)
    .span(12)
    .height(8)
    .calculate(true)
    .withTarget(
      new DataqueryBuilder()
        .datasource(datasource)
        .refId('A')
        .expr(`clamp_max(limpet_anomaly_degree{${HERE}}, 5)`)
        .range(),
    );
  return board('overview', 'Who slows the file system, why, and since when.')
    .withVariable(peerGroup())
    .withVariable(preset())
    .withVariable(node())
    .withVariable(exporterJob())
    .withPanel(
      words({
        title: 'State',
        description: 'The worst that holds: no server is judged, a server is named, a metric storms through a group, servers are not judged.',
        queries: [{ expr: `max(${STATE})` }],
        says: [
          ['All servers behave like their peers', 'green'],
          ['Some servers are not judged: the table says why', 'yellow'],
          ['Many components of a group differ at once: look for what they share', 'orange'],
          ['A server slows the file system', 'red'],
          ['No server is judged: the table below says why, or look at Limpet itself', 'purple'],
        ],
      }),
    )
    .withPanel(
      number({
        title: 'Indicted servers',
        description: 'Servers that are named as culprits now.',
        queries: [{ expr: `count(max by (node) (limpet_indicted{${DIAGNOSER}}) == 1) or vector(0)` }],
        bad: 1,
      }),
    )
    .withPanel(
      number({
        title: 'Group storms',
        description: 'Metrics of peer groups in which many components differ at once: look for what they share.',
        queries: [{ expr: `sum(max by (peer_group, metric) (limpet_group_storm{${DIAGNOSER}})) or vector(0)` }],
        bad: 1,
      }),
    )
    .withPanel(
      number({
        title: 'Components compared',
        description: 'Components that took part in the latest window, all peer groups of one preset together.',
        queries: [
          {
            expr: `max(sum by (preset) (limpet_group_components{${DIAGNOSER}, peer_group=~"$peer_group", preset=~"$preset", state="taking_part"}))`,
          },
        ],
      }),
    )
    .withPanel(
      number({
        title: 'Components missing',
        description: 'Components that are known but had too little data in the latest window.',
        queries: [
          {
            expr: `max(sum by (preset) (limpet_group_components{${DIAGNOSER}, peer_group=~"$peer_group", preset=~"$preset", state="missing"}))`,
          },
        ],
        bad: 1,
      }),
    )
    .withPanel(
      number({
        title: 'Targets down',
        description: 'Nodes from which the diagnoser gets no metrics.',
        queries: [{ expr: `count(limpet_target_up{${DIAGNOSER}} == 0) or vector(0)` }],
        bad: 1,
      }),
    )
    .withPanel(
      number({
        title: 'Age of the latest window',
        description: 'Time since the end of the window that was compared last.',
        queries: [{ expr: `time() - max(limpet_window_end_timestamp_seconds{${DIAGNOSER}, preset=~"$preset"})` }],
        unit: 's',
      }),
    )
    .withPanel(
      table({
        title: 'Indicted now',
        description: 'The servers that are named as culprits: the cause, since when, the device and metric that decided, by which factor and amount, and the next step. A click on a server leads to its dashboard and to the evidence.',
        queries: [
          {
            expr: withNextStep(
              `1000 * min by (node, cause) (limpet_indicted_since_timestamp_seconds{${DIAGNOSER}, node=~"$node"})`,
            ),
          },
          {
            expr: `max by (node, cause, device, metric) (limpet_evidence_ratio{${DIAGNOSER}, node=~"$node"})`,
          },
          {
            expr: `max by (node, cause, device, metric, unit) (limpet_evidence_difference{${DIAGNOSER}, node=~"$node"})`,
          },
        ],
        values: [
          ['since', 'dateTimeFromNow'],
          ['times its peers', ''],
          ['more than its peers', ''],
        ],
        wide: 'next_step',
        span: 24,
      }),
    )
    .withPanel(
      table({
        title: 'Slowest disks',
        description: 'The ten disks whose requests take longest now, and how that compares with the median disk. Slow is not limping: a disk with more to do than its peers is slow, too.',
        queries: [
          { expr: `topk(10, ${AWAIT})` },
          { expr: `(${AWAIT}) / scalar(quantile(0.5, ${AWAIT})) and on (node, device) topk(10, ${AWAIT})` },
        ],
        values: [
          ['time of a request', 's'],
          ['times the median', ''],
        ],
        first: 'time of a request',
        span: 17,
      }),
    )
    .withPanel(
      table({
        title: 'Not judged',
        description: 'Servers of which nothing can be said, and why: their silence is not health.',
        queries: [
          {
            expr: `max by (node, reason) (limpet_node_not_judged{${DIAGNOSER}, node=~"$node", reason!="no-peer-group"})`,
          },
        ],
        hide: ['Value'],
        span: 7,
      }),
    )
    .withPanel(
      table({
        title: 'Facts about the indicted',
        description: 'What is known of an indicted server and may explain it: links, arrays, errors of drives, what else uses them. Facts indict no server.',
        queries: [
          {
            expr: `max by (node, device, fact, detail) (limpet_fact{${DIAGNOSER}, node=~"$node"})`,
          },
        ],
        hide: ['Value'],
        span: 12,
      }),
    )
    .withPanel(
      table({
        title: 'Group storms by name',
        description: 'The metrics of peer groups in which many components differ at once: look for what they share.',
        queries: [
          {
            expr: `max by (peer_group, metric) (limpet_group_storm{${DIAGNOSER}, peer_group=~"$peer_group", preset=~"$preset"}) == 1`,
          },
        ],
        hide: ['Value'],
        span: 12,
      }),
    )
    .withPanel(
      table({
        title: 'What lasts',
        description: 'The ten components that were flagged most of late: the accumulator goes up with each flagged window, down with each other.',
        queries: [{ expr: `topk(10, max by (node, device, metric) (limpet_anomaly_accumulator{${HERE}}) > 0)` }],
        value: 'accumulator',
        span: 24,
      }),
    )
    .withPanel(
      states({
        title: 'Verdicts over time',
        description: 'Every server and cause that was indicted in the time shown.',
        queries: [
          {
            expr: `max by (node, cause) (limpet_indicted{${DIAGNOSER}, node=~"$node"}) and on (node, cause) (max by (node, cause) (max_over_time(limpet_indicted{${DIAGNOSER}}[$__range])) == 1)`,
            legend: '{{node}} {{cause}}',
          },
        ],
        on: 'indicted',
        span: 12,
      }),
    )
    .withPanel(heatmap)
    .withPanel(
      states({
        title: 'Flags',
        description: 'Every component and metric that was flagged in the time shown: anomalous in enough of its latest windows.',
        queries: [
          {
            expr: `max by (node, device, metric) (limpet_anomaly{${HERE}}) and on (node, device, metric) (max by (node, device, metric) (max_over_time(limpet_anomaly{${HERE}}[$__range])) == 1)`,
            legend: '{{node}} {{device}} {{metric}}',
          },
        ],
        on: 'flagged',
      }),
    )
    .withPanel(
      lines({
        title: 'Largest degrees',
        description: 'The degree of the five most deviant components; over 1 it is flagged. Cut at 100.',
        queries: [
          {
            expr: `topk(5, clamp_max(max by (node, device, metric) (limpet_anomaly_degree{${HERE}}), 100))`,
            legend: '{{node}} {{device}} {{metric}}',
          },
        ],
        limit: 1,
        min: 0,
      }),
    );
}
