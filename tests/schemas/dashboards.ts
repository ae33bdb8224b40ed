// What a dashboard of ours may be, in the types of Grafana's Foundation SDK: ts-json-schema-generator makes the schema.
// The SDK leaves `options` and `custom` of a panel open, for they depend on its type; here they are tied to it.
import type * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import type * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import type * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import type * as stat from '@grafana/grafana-foundation-sdk/stat';
import type * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import type * as table from '@grafana/grafana-foundation-sdk/table';
import type * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';

type Query = Omit<prometheus.Dataquery, '_implementsDataqueryVariant'>;

interface Defaults<Custom> extends Omit<dashboard.FieldConfig, 'custom'> {
  custom?: Partial<Custom>;
}
interface Fields<Custom> extends Omit<dashboard.FieldConfigSource, 'defaults'> {
  defaults: Defaults<Custom>;
}
interface Panel<Type, Options, Custom>
  extends Omit<dashboard.Panel, 'type' | 'targets' | 'options' | 'fieldConfig'> {
  type: Type;
  id: number;
  targets: Query[];
  options?: Partial<Options>;
  fieldConfig?: Fields<Custom>;
}
type Nothing = Record<string, never>;

type AnyPanel =
  | Panel<'heatmap', heatmap.Options, heatmap.FieldConfig>
  | Panel<'stat', stat.Options, Nothing>
  | Panel<'state-timeline', statetimeline.Options, statetimeline.FieldConfig>
  | Panel<'table', table.Options, table.FieldConfig>
  | Panel<'timeseries', timeseries.Options, timeseries.FieldConfig>;
interface Row extends Omit<dashboard.RowPanel, 'panels'> {
  panels: AnyPanel[];
}

export interface Board extends Omit<dashboard.Dashboard, 'panels'> {
  panels: (AnyPanel | Row)[];
}
