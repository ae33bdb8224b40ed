// One metric of one peer group: all peers as lines, the suspect thick, its degree below.
import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { board, choice, DIAGNOSER, EXPORTER, exporterJob, highlight, lines, node, peerGroup, preset } from './parts.js';

const HERE = `${DIAGNOSER}, peer_group=~"$peer_group", preset=~"$preset", metric=~"$metric"`;

export function comparison(): DashboardBuilder {
  const suspect = '/^$node/';
  const raw = (title: string, what: string, metric: string, unit: string, device: string): ReturnType<typeof lines> =>
    highlight(
      lines({
        title,
        description: `${what} of every server, the chosen one thick. Members of a peer group should lie on top of each other.`,
        queries: [{ expr: metric, legend: `{{node}} ${device}` }],
        unit,
        min: 0,
      }),
      suspect,
    );
  return board('comparison', 'One metric across all peers: do they behave alike, and who does not?')
    .withVariable(peerGroup())
    .withVariable(preset())
    .withVariable(choice('metric', 'Metric', `label_values(limpet_anomaly{${DIAGNOSER}}, metric)`))
    .withVariable(node(false))
    .withVariable(exporterJob())
    .withPanel(
      highlight(
        lines({
          title: 'Degree',
          description: 'Filtered degree of every component: over 1 it is flagged.',
          queries: [{ expr: `max by (node, device, metric) (limpet_anomaly_degree{${HERE}})`, legend: '{{node}} {{device}} {{metric}}' }],
          limit: 1,
          min: 0,
        }),
        suspect,
      ),
    )
    .withPanel(
      highlight(
        lines({
          title: 'Effect',
          description: 'How much more than its peers in the latest window: 0.25 is a quarter more. Only with the exact distance.',
          queries: [{ expr: `max by (node, device, metric) (limpet_anomaly_effect_ratio{${HERE}})`, legend: '{{node}} {{device}} {{metric}}' }],
          unit: 'percentunit',
          min: 0,
        }),
        suspect,
      ),
    )
    .withPanel(raw('Await', 'Time a request waits for its disk', `limpet_disk_await_seconds{${EXPORTER}}`, 's', '{{device}}'))
    .withPanel(raw('Read', 'Bytes read from disks', `rate(limpet_disk_read_bytes_total{${EXPORTER}}[$__rate_interval])`, 'Bps', '{{device}}'))
    .withPanel(raw('Written', 'Bytes written to disks', `rate(limpet_disk_written_bytes_total{${EXPORTER}}[$__rate_interval])`, 'Bps', '{{device}}'))
    .withPanel(raw('Received', 'Bytes received', `rate(limpet_network_receive_bytes_total{${EXPORTER}}[$__rate_interval])`, 'Bps', '{{device}}'))
    .withPanel(raw('Sent', 'Bytes sent', `rate(limpet_network_transmit_bytes_total{${EXPORTER}}[$__rate_interval])`, 'Bps', '{{device}}'))
    .withPanel(
      raw('Congestion windows', 'Mean congestion window by peer', `avg by (node, peer, side) (limpet_tcp_peer_cwnd_segments{${EXPORTER}})`, 'none', '{{side}} {{peer}}'),
    );
}
