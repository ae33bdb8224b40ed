// One server: its verdicts, and everything the exporter knows of it.
import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { awaitOf, board, choice, DIAGNOSER, either, EXPORTER, exporterJob, lines, node, rate, states } from './parts.js';

const HERE = `${EXPORTER}, node=~"$node"`;
const DISK = `${HERE}, device=~"$device"`;

const counter = (name: string, labels: string): string => either((first) => rate(`${first}_${name}`, labels), 'device');

export function server(): DashboardBuilder {
  return board('server', 'One server: verdict history, disks, network, congestion windows, host.')
    .withVariable(node(false))
    .withVariable(exporterJob())
    .withVariable(choice('device', 'Disk', `label_values({__name__=~"limpet_disk_reads_completed_total|node_disk_reads_completed_total", ${HERE}}, device)`))
    .withPanel(
      states({
        title: 'Verdict history',
        description: 'Causes for which this server was indicted.',
        queries: [{ expr: `max by (cause) (limpet_indicted{${DIAGNOSER}, node=~"$node"})`, legend: '{{cause}}' }],
        on: 'indicted',
        height: 6,
      }),
    )
    .withPanel(
      states({
        title: 'Flags',
        description: 'Its components and metrics that were flagged in the time shown.',
        queries: [
          {
            expr: `max by (device, metric) (limpet_anomaly{${DIAGNOSER}, node=~"$node"}) and on (device, metric) (max by (device, metric) (max_over_time(limpet_anomaly{${DIAGNOSER}, node=~"$node"}[$__range])) == 1)`,
            legend: '{{device}} {{metric}}',
          },
        ],
        on: 'flagged',
        height: 6,
      }),
    )
    .withPanel(
      lines({
        title: 'Disk: await and service time',
        description: 'Time of a request in the queue and at the disk, from rates, and at the disk alone (our exporter only).',
        queries: [
          { expr: either((first) => awaitOf(first, DISK), 'device'), legend: 'await {{device}}' },
          { expr: `limpet_disk_service_time_seconds{${DISK}}`, legend: 'service {{device}}' },
        ],
        unit: 's',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Disk: throughput',
        description: 'Bytes read and written.',
        queries: [
          { expr: counter('disk_read_bytes_total', DISK), legend: 'read {{device}}' },
          { expr: counter('disk_written_bytes_total', DISK), legend: 'written {{device}}' },
        ],
        unit: 'Bps',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Disk: busy',
        description: 'Share of the time in which the disk had at least one request.',
        queries: [{ expr: counter('disk_io_time_seconds_total', DISK), legend: '{{device}}' }],
        unit: 'percentunit',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Network: throughput',
        description: 'Bytes received and sent.',
        queries: [
          { expr: counter('network_receive_bytes_total', HERE), legend: 'received {{device}}' },
          { expr: counter('network_transmit_bytes_total', HERE), legend: 'sent {{device}}' },
        ],
        unit: 'Bps',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Network: errors and drops',
        description: 'Packets that were lost where the kernel could see it; a lossy switch port shows in the congestion windows instead.',
        queries: [
          { expr: counter('network_receive_errs_total', HERE), legend: 'receive errors {{device}}' },
          { expr: counter('network_receive_drop_total', HERE), legend: 'receive drops {{device}}' },
          { expr: counter('network_transmit_errs_total', HERE), legend: 'transmit errors {{device}}' },
          { expr: counter('network_transmit_drop_total', HERE), legend: 'transmit drops {{device}}' },
        ],
        unit: 'pps',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Congestion windows',
        description: 'Mean congestion window of its file-system connections, by peer and side.',
        queries: [{ expr: `limpet_tcp_peer_cwnd_segments{${HERE}}`, legend: '{{side}} {{peer}}' }],
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Processor',
        description: 'Cores in use, by mode.',
        queries: [{ expr: `sum by (mode) (${either((first) => rate(`${first}_cpu_seconds_total`, `${HERE}, mode!="idle"`), 'cpu', 'mode')})`, legend: '{{mode}}' }],
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Load',
        description: 'Load average over a minute, and processes that run or want to.',
        queries: [
          { expr: either((first) => `${first}_load1{${HERE}}`), legend: 'load' },
          { expr: either((first) => `${first}_procs_running{${HERE}}`), legend: 'running' },
        ],
        min: 0,
      }),
    );
}
