// chart.tsx: one component's series (line) over its peers' (band and median), by uPlot.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Series } from "../api/types";
import { formatClock, formatValue } from "../text/units";
import { readTheme } from "./chart_theme";
import type { Theme } from "./theme";

export interface ChartProps {
  series: Series;
  height: number;
  theme: Theme;
  label: string;
  windows?: readonly { begin: number; end: number; anomalous: boolean }[];
  cursor?: boolean;
  suspect?: boolean; // the component is accused: its line stands out
}

type Column = (number | null)[];

function data(series: Series): uPlot.AlignedData {
  const column = (values: readonly (number | null)[]): Column => [...values];
  return [
    [...series.time],
    column(series.peer_high),
    column(series.peer_low),
    column(series.peer_median),
    column(series.value),
  ];
}

function options(
  { series, height, theme, windows, cursor, suspect }: ChartProps,
  width: number,
): uPlot.Options {
  const colours = readTheme(theme);
  const axis = {
    stroke: colours.muted,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    font: colours.font,
  };
  const small = height < 120;
  return {
    width,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: cursor ?? true, y: false, points: { show: false } },
    scales: { x: { time: true }, y: { range: (_u, low, high) => niceRange(low, high) } },
    axes: [
      {
        ...axis,
        size: 24,
        space: small ? 70 : 80,
        values: (_u, times) => times.map((time) => formatClock(time, spanOf(series) < 1800)),
      },
      {
        ...axis,
        size: 66,
        space: small ? 22 : 32,
        values: (_u, values) => values.map((value) => formatValue(value, series.unit)),
      },
    ],
    series: [
      {},
      { stroke: "transparent", points: { show: false } },
      { stroke: "transparent", points: { show: false } },
      { stroke: colours.peers, width: 1.25, dash: [4, 3], points: { show: false } },
      { stroke: suspect ? colours.suspect : colours.own, width: suspect ? 2 : 1.5, points: { show: false } },
    ],
    bands: [{ series: [1, 2], fill: colours.band }],
    hooks: windows ? { drawClear: [(u) => shade(u, windows, colours.window)] } : {},
  };
}

const spanOf = (series: Series): number => (series.time.at(-1) ?? 0) - (series.time[0] ?? 0);

/** From 0, or near the values when they are far above it; never a range of no height. */
function niceRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const from = low >= 0 ? 0 : low;
  return [from, high > from ? high + (high - from) * 0.06 : from + 1];
}

/** The windows that decided, behind the lines. */
function shade(u: uPlot, windows: NonNullable<ChartProps["windows"]>, colour: string): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.fillStyle = colour;
  const anomalous = windows.filter((window) => window.anomalous);
  const begin = Math.min(...anomalous.map((window) => window.begin));
  const end = Math.max(...anomalous.map((window) => window.end));
  if (anomalous.length > 0) {
    const from = Math.max(bbox.left, u.valToPos(begin, "x", true));
    const to = Math.min(bbox.left + bbox.width, u.valToPos(end, "x", true));
    if (to > from) ctx.fillRect(from, bbox.top, to - from, bbox.height);
  }
  ctx.restore();
}

export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { series, height, theme, label } = props;
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const plot = new uPlot(options(props, Math.max(120, element.clientWidth)), data(series), element);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(120, element.clientWidth), height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [series, height, theme]);
  return <div class="chart" ref={place} role="img" aria-label={label} />;
}
