// What lasts: the accumulators of disks and LUN attachments ([Kasick12 Fig. 5]).
import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { board, choice, DIAGNOSER, lines, peerGroup, preset, table } from './parts.js';

const HERE = `${DIAGNOSER}, peer_group=~"$peer_group", preset=~"$preset", metric=~"$metric"`;

export function persistence(): DashboardBuilder {
  return board('persistence', 'Disks and LUN attachments that stay behind their peers for hours and days.')
    .time({ from: 'now-7d', to: 'now' })
    .withVariable(peerGroup())
    .withVariable(preset())
    .withVariable(choice('metric', 'Metric', `label_values(limpet_anomaly_accumulator{${DIAGNOSER}, device!=""}, metric)`))
    .withPanel(
      lines({
        title: 'Accumulators',
        description: 'Up by 1 for each window in which the component is flagged, down by 1 for each other: what keeps rising does not go away by itself.',
        queries: [
          { expr: `topk(20, max by (peer_group, node, device, metric) (limpet_anomaly_accumulator{${HERE}}) > 0)`, legend: '{{peer_group}}:{{device}}-{{node}} {{metric}}' },
        ],
        span: 24,
        height: 12,
        min: 0,
      }).fillOpacity(10),
    )
    .withPanel(
      table({
        title: 'Persistent anomalies',
        description: 'The twenty largest accumulators now.',
        queries: [{ expr: `topk(20, max by (peer_group, node, device, metric) (limpet_anomaly_accumulator{${HERE}}) > 0)` }],
        value: 'accumulator',
      }),
    )
    .withPanel(
      table({
        title: 'Disks that are the reason now',
        description: 'component: the disk alone is slow. workload: it also has more to do than its peers.',
        queries: [{ expr: `max by (lun, node, device, kind) (limpet_lun_indicted{${DIAGNOSER}}) == 1` }],
        hide: ['Value'],
      }),
    )
    .withPanel(
      table({
        title: 'Flagged for their latency, share of the last 6 hours',
        description: 'From the recording rule limpet:anomaly:ratio6h; over one half LimpetPersistentAnomaly fires.',
        queries: [{ expr: 'topk(20, limpet:anomaly:ratio6h > 0)' }],
        value: 'share',
        unit: 'percentunit',
        span: 24,
      }),
    );
}
