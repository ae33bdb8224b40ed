// persistent_view.tsx: what is flagged again and again, and how that went hour by hour.
import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Persistent, Top } from "../api/types";
import { ANY_CAUSE } from "../state/filters";
import type { Filters } from "../state/url";
import { metricText } from "../text/checklist";
import { readHourly } from "../text/hourly";
import { displayName, nodeOfComponent } from "../text/names";
import { formatClock, formatDuration, formatInstant, formatNumber } from "../text/units";
import { fileName } from "./download";
import { useAnswer, useModel, useTick } from "./hooks";
import { CauseTag, Empty, Name, Problem } from "./parts";
import { Sortable, type TableColumn } from "./sortable";

const REFRESH_MS = 30_000;

/** Seconds between two windows; null for a preset that is not known. */
function shiftOf(model: ReturnType<typeof useModel>, preset: string): number | null {
  return model.cluster?.presets.find((one) => one.preset === preset)?.shift_seconds ?? null;
}

/** "38 windows · 20 min". */
function windowsText(windows: number, shift: number | null): string {
  const text = `${windows} window${windows === 1 ? "" : "s"}`;
  return shift === null ? text : `${text} · ${formatDuration(windows * shift)}`;
}

function columnsFor(model: ReturnType<typeof useModel>): TableColumn<Persistent>[] {
  const text = (row: Persistent) => metricText(model.cluster?.metrics ?? [], row.metric);
  return [
    {
      key: "component",
      title: "Component",
      cell: (row) => row.component,
      show: (row) => {
        const node = nodeOfComponent(row.component, model.nodes);
        const known = model.nodes.has(node);
        return known ? (
          <button type="button" class="link" onClick={() => model.navigate({ view: "cluster", node })}>
            <Name of={row.component} />
          </button>
        ) : (
          <Name of={row.component} />
        );
      },
    },
    { key: "metric", title: "Metric", cell: text },
    {
      key: "accumulator",
      title: "Accumulator",
      numeric: true,
      cell: (row) => row.accumulator,
      show: (row) => windowsText(row.accumulator, shiftOf(model, row.preset)),
    },
    {
      key: "flagged",
      title: "Flagged now",
      cell: (row) => row.flagged,
      show: (row) => (row.flagged ? "yes" : ""),
    },
    {
      key: "degree",
      title: "Degree",
      numeric: true,
      cell: (row) => row.degree,
      show: (row) => formatNumber(row.degree),
    },
    {
      key: "cause",
      title: "Cause",
      cell: (row) => row.cause,
      show: (row) => row.cause !== null && <CauseTag cause={row.cause} quiet={!row.flagged} />,
    },
    { key: "kind", title: "Kind", cell: (row) => row.kind, show: (row) => row.kind ?? "" },
    {
      key: "peer_group",
      title: "Peer group",
      cell: (row) => row.peer_group,
      show: (row) => <Name of={row.peer_group} />,
    },
    { key: "preset", title: "Preset", cell: (row) => row.preset },
  ];
}

/** The header's filters, as far as a component has what they ask for. */
function inFocus(rows: readonly Persistent[], filters: Filters): Persistent[] {
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (filters.groups.length > 0 && !filters.groups.includes(row.peer_group)) return false;
    const { causes } = filters;
    if (
      causes.length > 0 &&
      (row.cause === null || !(causes.includes(ANY_CAUSE) || causes.includes(row.cause)))
    )
      return false;
    const all = `${row.component} ${row.metric} ${row.peer_group} ${row.cause ?? ""}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export function PersistentView() {
  const model = useModel("cluster", "address");
  const tick = useTick(REFRESH_MS);
  const { value, error } = useAnswer(`top ${tick}`, (signal) => api.top(signal));
  return (
    <section class="page-view" aria-label="Persistent anomalies">
      <h2>Persistent anomalies</h2>
      <p class="muted lead">
        The accumulator is in how many windows more a component was flagged than not: it rises with every
        window in which it is flagged and falls with every other, and the time is what so many windows take.
        What stays high has been slow for hours or days.
      </p>
      {error !== null && <Problem text={error} />}
      {value?.persistent.length === 0 && <Empty>No component is flagged again and again.</Empty>}
      {value && value.persistent.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Table of persistent anomalies">
          <Sortable
            caption="Persistent anomalies"
            columns={columnsFor(model)}
            rows={inFocus(value.persistent, model.address.filters)}
            rowKey={(row) => `${row.preset} ${row.metric} ${row.peer_group} ${row.component}`}
            initial={{ column: "accumulator", falling: true }}
            file={fileName("persistent", model.time, "csv")}
          />
        </div>
      )}
      {value?.hourly && value.hourly.length > 0 && <Hourly hourly={value.hourly} />}
    </section>
  );
}

function Hourly({ hourly }: { hourly: NonNullable<Top["hourly"]> }) {
  const model = useModel("cluster");
  const [chosen, setChosen] = useState(0);
  const list = hourly[Math.min(chosen, hourly.length - 1)];
  return (
    <>
      <div class="chart-head">
        <h3>Hour by hour</h3>
        <select
          class="select"
          aria-label="Metric"
          value={String(chosen)}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        >
          {hourly.map((one, i) => (
            <option key={`${one.preset} ${one.metric}`} value={String(i)}>
              {metricText(model.cluster?.metrics ?? [], one.metric)} · {one.preset}
            </option>
          ))}
        </select>
      </div>
      <ol class="hourly" reversed tabIndex={0} aria-label="Hourly list, the latest first">
        {[...(list?.rows ?? [])].reverse().map((row) => (
          <HourlyItem key={row} row={row} shift={shiftOf(model, list?.preset ?? "")} />
        ))}
      </ol>
    </>
  );
}

const HOUR = 3600;

function HourlyItem({ row, shift }: { row: string; shift: number | null }) {
  const read = readHourly(row);
  if (!read) return <li>{displayName(row)}</li>;
  return (
    <li>
      <time class="muted" dateTime={new Date(read.begin * 1000).toISOString()}>
        {formatInstant(read.begin).slice(0, 16)} to {formatClock(read.begin + HOUR, false)}
      </time>
      {read.entries.map(({ windows, group, component }) => (
        <span class="hourly-entry" key={`${group} ${component}`}>
          <Name of={component} /> {windowsText(windows, shift)}{" "}
          <span class="muted">
            in <Name of={group} />
          </span>
        </span>
      ))}
    </li>
  );
}
