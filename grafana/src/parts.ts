// What all dashboards share: the data source variable, selectors, queries, panels, links.
import {
  AnnotationQueryBuilder,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  QueryVariableBuilder,
  TextBoxVariableBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
  type DataTransformerConfig,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import {
  BigValueColorMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  TableSortByFieldStateBuilder,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries';
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as StateTimeline } from '@grafana/grafana-foundation-sdk/statetimeline';

export const datasource = { type: 'prometheus', uid: '${datasource}' };

// Series of the diagnoser, and of the exporters.
export const DIAGNOSER = 'job=~"$job"';
export const EXPORTER = 'job=~"$exporter_job"';

// One question to our exporter or, where a node has none, to Prometheus' node_exporter: its counters have the same names but
// for the first word. Both by the label `node` (config/prometheus/scrape.yml).
// A node_exporter whose scrape gives it no such label is told by its instance, without the port.
export const either = (question: (first: string) => string, ...by: string[]): string => {
  const or = `or on (${['node', ...by].join(', ')})`;
  return `${question('limpet')} ${or} ${question('node')} ${or} ${byInstance(question('node'))}`;
};

function byInstance(expr: string): string {
  const unnamed = expr.replaceAll(
    /node(=~|!~)"\$node"/g,
    (_, how: string) => `node="", instance${how}"($node)(:.*)?"`,
  );
  return `label_replace(${unnamed}, "node", "$1", "instance", "(.+?)(:[0-9]+)?")`;
}

// Without the servers that are only in other peer groups than the chosen ones. Who is in none stays: clients, and all of them
// where there is no diagnoser, or where its page leaves components out (publish.detail).
export const inGroup = (expr: string): string => {
  const members = (match: string): string => `limpet_anomaly{${DIAGNOSER}, preset=~"$preset", peer_group${match}"$peer_group"}`;
  return `(${expr}) unless on (node) (${members('!~')} unless on (node) ${members('=~')} unless on () (limpet_components_left_out{${DIAGNOSER}} > 0))`;
};

// Of a counter, over the interval of the panel.
export const rate = (metric: string, labels: string): string => `rate(${metric}{${labels}}[$__rate_interval])`;

// Time of a request from rates, so that it is right whatever the interval of the scrapes.
export const awaitOf = (first: string, labels: string): string => {
  const both = (read: string, write: string): string =>
    `(${rate(`${first}_disk_${read}_total`, labels)} + ${rate(`${first}_disk_${write}_total`, labels)})`;
  return `${both('read_time_seconds', 'write_time_seconds')} / ${both('reads_completed', 'writes_completed')}`;
};

export interface Query {
  expr: string;
  legend?: string;
}

function target(query: Query, refId: string, instant: boolean): DataqueryBuilder {
  const made = new DataqueryBuilder().datasource(datasource).refId(refId).expr(query.expr);
  if (query.legend !== undefined) {
    made.legendFormat(query.legend);
  }
  return instant ? made.instant().format(PromQueryFormat.Table) : made.range();
}

const letter = (i: number): string => String.fromCharCode(65 + i);

interface Shape {
  title: string;
  // What it shows and what to make of it.
  description: string;
  queries: Query[];
  unit?: string;
  span?: number;
  height?: number;
}

type Any = TimeSeries | Stat | Table | StateTimeline;
function common<P extends Any>(panel: P, shape: Shape, instant: boolean): P {
  panel
    .title(shape.title)
    .description(shape.description)
    .datasource(datasource)
    .span(shape.span ?? 12)
    .height(shape.height ?? 8);
  if (shape.unit !== undefined) {
    panel.unit(shape.unit);
  }
  shape.queries.forEach((query, i) => panel.withTarget(target(query, letter(i), instant)));
  return panel;
}

const legend = (): VizLegendOptionsBuilder =>
  new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .showLegend(true);

// Lines over time; `limit` draws a dashed threshold.
export function lines(shape: Shape & { limit?: number; min?: number }): TimeSeries {
  const panel = common(new TimeSeries(), shape, false)
    .legend(legend())
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .showPoints(VisibilityMode.Never)
    .lineWidth(1);
  if (shape.min !== undefined) {
    panel.min(shape.min);
  }
  if (shape.limit !== undefined) {
    panel
      .thresholds(steps(['transparent', null], ['red', shape.limit]))
      .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
  }
  return panel;
}

// The series of one query among those of the others: thick and red.
export function highlight(panel: TimeSeries, refId: string): TimeSeries {
  return panel.overrideByQuery(refId, [
    { id: 'color', value: { mode: 'fixed', fixedColor: 'red' } },
    { id: 'custom.lineWidth', value: 3 },
  ]);
}

export function number(shape: Shape & { bad?: number; low?: boolean }): Stat {
  const panel = common(new Stat(), { span: 4, height: 4, ...shape }, true).colorMode(
    BigValueColorMode.Value,
  );
  if (shape.bad !== undefined) {
    panel.thresholds(
      shape.low === true
        ? steps(['red', null], ['green', shape.bad])
        : steps(['green', null], ['red', shape.bad]),
    );
  } else {
    // Grafana's default is red from 80 on.
    panel.thresholds(steps(['text', null]));
  }
  return panel;
}

// From a server's name to its dashboard and to the reason on the diagnoser's live page ($page is its address).
const OF_NODE = [
  { title: 'Server', url: '/d/limpet-server?var-node=${__value.raw}&${datasource:queryparam}&${__url_time_range}', targetBlank: false },
  { title: 'Evidence on the live page', url: '${page}/?node=${__value.raw}&evidence=1', targetBlank: true },
];

// A table of instant values without Prometheus' own labels.
// Several queries are joined by the labels that they share; `values` names the column of each, with its unit. `wide`: a column
// of sentences; `first`: the column whose largest values come first.
export function table(shape: Shape & { hide?: string[]; value?: string; values?: [name: string, unit: string][]; wide?: string; first?: string }): Table {
  const hidden = ['Time', '__name__', 'job', 'instance', ...(shape.hide ?? [])];
  const columns = shape.values?.map(([name], i): [string, string] => [`Value #${letter(i)}`, name]);
  const organize: DataTransformerConfig = {
    id: 'organize',
    options: {
      excludeByName: Object.fromEntries(hidden.map((name) => [name, true])),
      renameByName: columns ? Object.fromEntries(columns) : { Value: shape.value ?? 'value' },
    },
  };
  // As the default of all columns a unit of time turns names into NaN.
  const { unit, ...rest } = shape;
  const panel = common(new Table(), rest, true);
  if (columns !== undefined) {
    panel.withTransformation({ id: 'merge', options: {} });
  }
  panel.withTransformation(organize);
  if (unit !== undefined) {
    panel.overrideByName('Value', [{ id: 'unit', value: unit }]);
  }
  shape.values?.forEach(([, of], i) => {
    if (of !== '') {
      panel.overrideByName(`Value #${letter(i)}`, [{ id: 'unit', value: of }]);
    }
  });
  if (shape.wide !== undefined) {
    panel.overrideByName(shape.wide, [{ id: 'custom.width', value: 620 }]);
  }
  if (shape.first !== undefined) {
    panel.sortBy([new TableSortByFieldStateBuilder().displayName(shape.first).desc(true)]);
  }
  return panel
    .overrideByName('node', [{ id: 'links', value: OF_NODE }]);
}

// One value in words: each number has its own, with a colour.
export function words(shape: Shape & { says: [text: string, colour: string][] }): Stat {
  const { says, ...rest } = shape;
  return common(new Stat(), { span: 24, height: 3, ...rest }, true)
    .colorMode(BigValueColorMode.Background)
    .mappings([
      {
        type: MappingType.ValueToText,
        options: Object.fromEntries(says.map(([text, color], i) => [String(i), { text, color, index: i }])),
      },
    ]);
}

// 0 and 1 over time, a row a series.
export function states(shape: Shape & { on: string }): StateTimeline {
  return common(new StateTimeline(), shape, false)
    .legend(legend().showLegend(false))
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds))
    .thresholds(steps(['green', null], ['red', 1]))
    .showValue(VisibilityMode.Never)
    .mappings([
      {
        type: MappingType.ValueToText,
        options: {
          '0': { text: 'ok', color: 'green', index: 0 },
          '1': { text: shape.on, color: 'red', index: 1 },
        },
      },
    ]);
}

type Step = [color: string, value: number | null];
export function steps(...list: Step[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps(list.map(([color, value]) => ({ color, value })));
}

export function choice(name: string, label: string, query: string, multi = true): QueryVariableBuilder {
  const made = new QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query({ query, refId: name })
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.NaturalAsc)
    .multi(multi);
  return multi
    ? made.includeAll(true).allValue('.*').current({ selected: true, text: 'All', value: '$__all' })
    : made;
}

const BOARDS = [
  ['overview', 'Cluster overview'],
  ['comparison', 'Peer comparison'],
  ['server', 'Server'],
  ['persistence', 'Persistence'],
  ['storage', 'Storage'],
  ['limpet', 'Limpet itself'],
] as const;
export type Board = (typeof BOARDS)[number][0];

// An empty dashboard with the variables of `needs`, links to the others and verdicts as annotations.
export function board(name: Board, description: string): DashboardBuilder {
  const title = BOARDS.find(([one]) => one === name)?.[1] ?? name;
  const made = new DashboardBuilder(`Limpet: ${title}`)
    .uid(`limpet-${name}`)
    .description(description)
    .tags(['limpet'])
    .editable()
    .timezone('browser')
    .time({ from: 'now-1h', to: 'now' })
    .refresh('15s')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(choice('job', 'Diagnoser job', 'label_values(limpet_diagnoser_build_info, job)'))
    .withVariable(
      new TextBoxVariableBuilder('page').label('Live page').defaultValue('http://localhost:9837'),
    )
    .annotation(
      new AnnotationQueryBuilder()
        .name('Verdicts')
        .datasource(datasource)
        .enable(true)
        .iconColor('red')
        .expr(`max by (node, cause) (limpet_indicted{${DIAGNOSER}}) == 1`)
        .titleFormat('{{node}}: {{cause}}')
        .step('15s'),
    );
  for (const [other, text] of BOARDS) {
    if (other !== name) {
      made.link(
        new DashboardLinkBuilder(text)
          .type(DashboardLinkType.Link)
          .url(`/d/limpet-${other}`)
          .icon('dashboard')
          .tooltip(text)
          .includeVars(true)
          .keepTime(true),
      );
    }
  }
  return made;
}

export const peerGroup = (): QueryVariableBuilder =>
  choice('peer_group', 'Peer group', `label_values(limpet_group_storm{${DIAGNOSER}}, peer_group)`);
export const preset = (): QueryVariableBuilder =>
  choice('preset', 'Preset', `label_values(limpet_group_storm{${DIAGNOSER}}, preset)`);
export const node = (multi = true): QueryVariableBuilder =>
  choice('node', 'Server', `label_values(limpet_indicted{${DIAGNOSER}}, node)`, multi);
export const exporterJob = (): QueryVariableBuilder =>
  choice(
    'exporter_job',
    'Exporter job',
    'label_values({__name__=~"limpet_exporter_build_info|node_exporter_build_info"}, job)',
  );
