// Limpet itself: does it get its data, does it keep up, what does it cost?
import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { board, DIAGNOSER, EXPORTER, exporterJob, lines, states } from './parts.js';

export function limpet(): DashboardBuilder {
  return board('limpet', 'Scrapes, lag, windows and cost of the diagnoser and the exporters.')
    .withVariable(exporterJob())
    .withPanel(
      states({
        title: 'Targets',
        description: 'Whether the latest scrape of each node gave a page that could be read.',
        queries: [{ expr: `1 - limpet_target_up{${DIAGNOSER}}`, legend: '{{node}}' }],
        on: 'down',
      }),
    )
    .withPanel(
      lines({
        title: 'Scrape errors',
        description: 'Scrapes that gave no page that could be read, by reason.',
        queries: [{ expr: `sum by (reason) (rate(limpet_target_scrape_errors_total{${DIAGNOSER}}[$__rate_interval]))`, legend: '{{reason}}' }],
        unit: 'cps',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Scrape duration',
        description: 'How long the scrapes of the slowest ten nodes take.',
        queries: [{ expr: `topk(10, limpet_target_scrape_duration_seconds{${DIAGNOSER}})`, legend: '{{node}}' }],
        unit: 's',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Clock skew',
        description: 'Clock of the node minus the diagnoser\'s, the ten largest; over half a second LimpetClockSkew fires.',
        queries: [{ expr: `topk(10, abs(limpet_target_clock_skew_seconds{${DIAGNOSER}}))`, legend: '{{node}}' }],
        unit: 's',
      }),
    )
    .withPanel(
      lines({
        title: 'Samples and windows',
        description: 'Samples read from pages, and windows compared, a second.',
        queries: [
          { expr: `rate(limpet_ingested_samples_total{${DIAGNOSER}}[$__rate_interval])`, legend: 'samples {{instance}}' },
          { expr: `rate(limpet_windows_compared_total{${DIAGNOSER}}[$__rate_interval])`, legend: 'windows {{instance}}' },
        ],
        unit: 'cps',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Lag',
        description: 'Longest time from a page\'s arrival to its use.',
        queries: [{ expr: `limpet_ingest_lag_seconds{${DIAGNOSER}}`, legend: '{{instance}}' }],
        unit: 's',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Processor time of the diagnoser',
        description: 'Cores in use by each diagnoser.',
        queries: [{ expr: `rate(limpet_diagnoser_cpu_seconds_total{${DIAGNOSER}}[$__rate_interval])`, legend: '{{instance}}' }],
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Memory of the diagnoser',
        description: 'Resident memory of each diagnoser.',
        queries: [{ expr: `limpet_diagnoser_resident_memory_bytes{${DIAGNOSER}}`, legend: '{{instance}}' }],
        unit: 'bytes',
        min: 0,
      }),
    )
    .withPanel(
      lines({
        title: 'Processor time of the exporters',
        description: 'Cores in use by the ten most expensive exporters.',
        queries: [{ expr: `topk(10, rate(limpet_exporter_cpu_seconds_total{${EXPORTER}}[$__rate_interval]))`, legend: '{{instance}}' }],
        min: 0,
      }),
    )
    .withPanel(
      states({
        title: 'Collectors that failed',
        description: 'Every collector that had nothing to show at some moment of the time shown.',
        queries: [
          {
            expr: `1 - limpet_scrape_collector_success{${EXPORTER}} and (min_over_time(limpet_scrape_collector_success{${EXPORTER}}[$__range]) == 0)`,
            legend: '{{instance}} {{collector}}',
          },
        ],
        on: 'fails',
      }),
    );
}
