// Draws a dashboard's JSON with Grafana's own components (@grafana/ui), for pictures where there is no Grafana.
//
// window.DASHBOARD = {board, span: [from, until], data: {PANEL: {now: {REF: [[labels, value]]}, range: {REF: [[labels, [[time, value]]]]},
// drawn: HTML or ''}}}, times in seconds. Units, colours, thresholds, mappings, overrides and links are applied by @grafana/data.
// State timelines and heatmaps are part of Grafana's application, not of its libraries: these panels show `drawn`.
import React from 'react';
import { createRoot } from 'react-dom/client';
import { of } from 'rxjs';
import {
  FieldConfigOptionsRegistry,
  FieldType,
  ThemeContext,
  applyFieldOverrides,
  createTheme,
  dateTime,
  getFieldDisplayValues,
  identityOverrideProcessor,
  standardTransformers,
  toDataFrame,
} from '@grafana/data';
import { BigValue, GlobalStyles, PanelChrome, Table, TimeSeries } from '@grafana/ui';

const COLUMN = 76, ROW = 38, GAP = 8;
const theme = createTheme({ colors: { mode: 'dark' } });
const { board, data, span } = window.DASHBOARD;
const timeRange = { from: dateTime(span[0] * 1000), to: dateTime(span[1] * 1000), raw: { from: 'now-2m', to: 'now' } };

// What Grafana's application registers and fills in where a dashboard says nothing.
const STANDARD = ['unit', 'min', 'max', 'decimals', 'color', 'links', 'displayName', 'mappings', 'thresholds'];
const DEFAULTS = {
  timeseries: { color: { mode: 'palette-classic' } },
  stat: {
    color: { mode: 'thresholds' },
    thresholds: { mode: 'absolute', steps: [{ value: null, color: 'green' }, { value: 80, color: 'red' }] },
  },
};

function registryOf({ defaults, overrides = [] }) {
  const custom = new Set([...Object.keys(defaults.custom ?? {}),
    ...overrides.flatMap((one) => one.properties).filter(({ id }) => id.startsWith('custom.')).map(({ id }) => id.slice(7))]);
  const property = (id, path, isCustom) =>
    ({ id, path, name: id, isCustom, process: identityOverrideProcessor, shouldApply: () => true });
  return new FieldConfigOptionsRegistry(() => [...STANDARD.map((id) => property(id, id, false)),
    ...[...custom].map((id) => property(`custom.${id}`, id, true))]);
}

function configOf(panel) {
  const { defaults = {}, overrides = [] } = panel.fieldConfig ?? {};
  return { defaults: { ...DEFAULTS[panel.type], ...defaults }, overrides };
}

function configured(panel, frames) {
  const fieldConfig = configOf(panel);
  return applyFieldOverrides({ data: frames, fieldConfig, theme, timeZone: 'utc', replaceVariables: (text) => text,
    fieldConfigRegistry: registryOf(fieldConfig) });
}

function nameOf({ legendFormat }, labels) {
  return legendFormat && { displayNameFromDS: legendFormat.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name) => labels[name] ?? '').trim() };
}

function Lines({ panel, width, height }) {
  const frames = panel.targets.flatMap((target) => data[panel.id].range[target.refId].map(([labels, points]) => toDataFrame({
    refId: target.refId,
    fields: [
      { name: 'Time', type: FieldType.time, values: points.map(([at]) => at * 1000) },
      { name: 'Value', type: FieldType.number, labels, config: { ...nameOf(target, labels) }, values: points.map(([, value]) => value) },
    ],
  })));
  return <TimeSeries frames={configured(panel, frames)} width={width} height={height} timeRange={timeRange} timeZone="utc"
    legend={panel.options.legend} options={panel.options} />;
}

function Numbers({ panel, width, height }) {
  const frames = panel.targets.flatMap(({ refId }) => data[panel.id].now[refId].map(([labels, value]) => toDataFrame({
    refId, fields: [{ name: 'Value', type: FieldType.number, labels, values: [value] }] })));
  const { colorMode, justifyMode, textMode, reduceOptions } = panel.options;
  const values = getFieldDisplayValues({ fieldConfig: configOf(panel), reduceOptions: { calcs: ['lastNotNull'], ...reduceOptions },
    replaceVariables: (text) => text, theme, data: configured(panel, frames), timeZone: 'utc' });
  return values.map((one, i) => <BigValue key={i} value={one.display} colorMode={colorMode} graphMode="none" justifyMode={justifyMode}
    textMode={textMode} theme={theme} width={width / values.length} height={height} />);
}

// As Prometheus' data source gives the answers: several have names of their own. Joined by Grafana's own transformation.
function answersOf(panel) {
  const frames = panel.targets.map(({ refId }) => {
    const rows = data[panel.id].now[refId];
    const names = [...new Set(rows.flatMap(([labels]) => Object.keys(labels)))].sort();
    return toDataFrame({ refId, fields: [
      { name: 'Time', type: FieldType.time, values: rows.map(() => span[1] * 1000) },
      ...names.map((name) => ({ name, type: FieldType.string, values: rows.map(([labels]) => labels[name] ?? '') })),
      { name: panel.targets.length > 1 ? `Value #${refId}` : 'Value', type: FieldType.number, values: rows.map(([, value]) => value) },
    ] });
  });
  let [joined] = frames;
  if ((panel.transformations ?? []).some(({ id }) => id === 'merge')) {
    of(frames).pipe(standardTransformers.mergeTransformer.operator({}, {})).subscribe(([made]) => { joined = made; });
  }
  return joined;
}

// Overrides come after it and see the new names.
function organized(panel, fields) {
  return (panel.transformations ?? []).reduce((left, { options: { excludeByName = {}, renameByName = {} } }) =>
    left.filter(({ name }) => !excludeByName[name]).map((field) => renameByName[field.name]
      ? { ...field, config: { displayName: renameByName[field.name] } } : field), fields);
}

function Rows({ panel, width, height }) {
  const frame = answersOf(panel);
  const fields = organized(panel, frame.fields);
  return <Table data={configured(panel, [{ ...frame, fields }])[0]} width={width} height={height} columnMinWidth={90}
    initialSortBy={panel.options?.sortBy} />;
}

const KINDS = { timeseries: Lines, stat: Numbers, table: Rows };

function Panel({ panel }) {
  const { x, y, w, h } = panel.gridPos;
  const Kind = KINDS[panel.type];
  const { now, range, drawn } = data[panel.id];
  const empty = [...Object.values(now), ...Object.values(range)].every((list) => list.length === 0);
  return <div style={{ position: 'absolute', left: x * COLUMN, top: y * ROW }}>
    <PanelChrome title={panel.title} width={w * COLUMN - GAP} height={h * ROW - GAP}>
      {(width, height) => empty ? <div style={{ textAlign: 'center' }}>No data</div>
        : Kind ? <Kind panel={panel} width={width} height={height} /> : <div dangerouslySetInnerHTML={{ __html: drawn }} />}
    </PanelChrome>
  </div>;
}

createRoot(document.getElementById('root')).render(
  <ThemeContext.Provider value={theme}>
    <GlobalStyles />
    <div style={{ position: 'relative' }}>{board.panels.map((panel) => <Panel key={panel.id} panel={panel} />)}</div>
  </ThemeContext.Provider>);
