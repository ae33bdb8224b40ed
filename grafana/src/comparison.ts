// One metric of one peer group: all peers as lines, the suspect thick, its degree above.
import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import type { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries';
import { awaitOf, board, choice, DIAGNOSER, either, EXPORTER, exporterJob, highlight, inGroup, lines, node, peerGroup, preset, rate } from './parts.js';

const HERE = `${DIAGNOSER}, peer_group=~"$peer_group", preset=~"$preset", metric=~"$metric"`;

interface Compared {
  title: string;
  description: string;
  // The query, with this selector beside its own.
  of: (selector: string) => string;
  legend: string;
  unit?: string;
  limit?: number;
}

// Next to peers that do nothing at all any difference is boundless: what is over this is drawn here.
const MOST = 100;

// The peers are one query and the suspect another: Grafana fills no variables into the names that overrides match.
function compared({ of, legend, ...shape }: Compared): TimeSeries {
  const queries = ['node!~"$node"', 'node=~"$node"'].map((selector) => ({ expr: of(selector), legend }));
  return highlight(lines({ ...shape, queries, min: 0 }), 'B');
}

export function comparison(): DashboardBuilder {
  const raw = (title: string, what: string, of: Compared['of'], unit: string, device: string): TimeSeries =>
    compared({
      title,
      description: `${what} of every server but those of other peer groups, the chosen server thick. Members of a group should lie on top of each other.`,
      of: (selector) => inGroup(of(selector)),
      legend: `{{node}} ${device}`,
      unit,
    });
  const counter = (name: string) => (selector: string): string =>
    either((first) => rate(`${first}_${name}`, `${EXPORTER}, ${selector}`), 'device');
  return board('comparison', 'One metric across all peers: do they behave alike, and who does not?')
    .withVariable(peerGroup())
    .withVariable(preset())
    .withVariable(choice('metric', 'Metric', `label_values(limpet_group_storm{${DIAGNOSER}}, metric)`))
    .withVariable(node(false))
    .withVariable(exporterJob())
    .withPanel(
      compared({
        title: 'Degree',
        description: 'Filtered degree of every component: over 1 it is flagged. Cut at 100.',
        of: (selector) => `clamp_max(max by (node, device, metric) (limpet_anomaly_degree{${HERE}, ${selector}}), ${MOST})`,
        legend: '{{node}} {{device}} {{metric}}',
        limit: 1,
      }),
    )
    .withPanel(
      compared({
        title: 'Effect',
        description: 'How much more than its peers in the latest window: 0.25 is a quarter more. Only with the exact distance. Cut at 10,000 %.',
        of: (selector) => `clamp_max(max by (node, device, metric) (limpet_anomaly_effect_ratio{${HERE}, ${selector}}), ${MOST})`,
        legend: '{{node}} {{device}} {{metric}}',
        unit: 'percentunit',
      }),
    )
    .withPanel(raw('Await', 'Time a request waits for its disk', (selector) => either((first) => awaitOf(first, `${EXPORTER}, ${selector}`), 'device'), 's', '{{device}}'))
    .withPanel(raw('Read', 'Bytes read from disks', counter('disk_read_bytes_total'), 'Bps', '{{device}}'))
    .withPanel(raw('Written', 'Bytes written to disks', counter('disk_written_bytes_total'), 'Bps', '{{device}}'))
    .withPanel(raw('Received', 'Bytes received', counter('network_receive_bytes_total'), 'Bps', '{{device}}'))
    .withPanel(raw('Sent', 'Bytes sent', counter('network_transmit_bytes_total'), 'Bps', '{{device}}'))
    .withPanel(
      raw('Congestion windows', 'Mean congestion window by peer', (selector) => `avg by (node, peer, side) (limpet_tcp_peer_cwnd_segments{${EXPORTER}, ${selector}})`, 'none', '{{side}} {{peer}}'),
    );
}
