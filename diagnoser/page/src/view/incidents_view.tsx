// incidents_view.tsx: the incidents of a day, a month or a year, from the history: how many each day, and a table.
import { useLayoutEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { IncidentRow } from "../api/types";
import { countByDay, readParts, SPANS, type Day } from "../state/days";
import { ANY_CAUSE } from "../state/filters";
import type { Model } from "../state/model";
import type { Filters } from "../state/url";
import type { Family } from "../text/causes";
import { formatDuration, formatInstant, formatNumber } from "../text/units";
import { fileName } from "./download";
import { useAnswer, useModel, useTick } from "./hooks";
import { CauseTag, Empty, Name, Problem } from "./parts";
import { Sortable, type TableColumn } from "./sortable";

const REFRESH_MS = 60_000;
const DAY = 86_400;

interface Found {
  rows: readonly IncidentRow[] | null; // null: not known yet
  whole: boolean;
  error: string | null;
}

/** Incidents of the days up to `to`; those that are there already are shown while older ones are read. */
function useIncidents(days: number, to: number): Found {
  const [found, setFound] = useState<Found>({ rows: null, whole: false, error: null });
  // Before the first paint, so that the question is on its way meanwhile.
  useLayoutEffect(() => {
    setFound((shown) => (shown.rows === null ? shown : { rows: null, whole: false, error: null }));
  }, [days]);
  useLayoutEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let parts = 0;
    readParts(
      (before) => api.incidents({ from: to - days * DAY, to, before }, signal),
      (rows, whole) => {
        parts += 1;
        // Read again, a span that is shown whole does not shrink to its first part meanwhile.
        setFound((shown) =>
          signal.aborted || (parts === 1 && !whole && shown.whole) ? shown : { rows, whole, error: null },
        );
      },
    ).catch((error: unknown) => {
      if (!signal.aborted)
        setFound((shown) => ({ ...shown, error: error instanceof Error ? error.message : String(error) }));
    });
    return () => controller.abort();
  }, [days, to]);
  return found;
}

const COLUMNS = (model: Model, now: number): TableColumn<IncidentRow>[] => [
  {
    key: "node",
    title: "Node",
    cell: (row) => row.node,
    show: (row) => (
      <button type="button" class="link" onClick={() => model.navigate({ incident: row.id })}>
        <Name of={row.node} />
      </button>
    ),
  },
  {
    key: "cause",
    title: "Cause",
    cell: (row) => row.cause,
    show: (row) => <CauseTag cause={row.cause} quiet={!row.indicted} />,
  },
  {
    key: "since",
    title: "Since",
    numeric: true,
    cell: (row) => row.since,
    show: (row) => formatInstant(row.since),
  },
  {
    key: "lasted",
    title: "Lasted",
    numeric: true,
    cell: (row) => Math.max(0, (row.ended ?? now) - row.since),
    show: (row) => `${formatDuration((row.ended ?? now) - row.since)}${row.ended === null ? " so far" : ""}`,
  },
  { key: "ending", title: "Ended", cell: (row) => (row.ended === null ? "goes on" : row.ending) },
  { key: "metric", title: "Metric", cell: (row) => row.metric },
  {
    key: "degree",
    title: "Degree",
    numeric: true,
    cell: (row) => row.degree,
    show: (row) => formatNumber(row.degree),
  },
];

/** The header's search and verdict; a node that is no more has neither role nor group. */
function inFocus(rows: readonly IncidentRow[], { text, causes }: Filters): IncidentRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const all = `${row.node} ${row.cause} ${row.metric}`.toLowerCase();
    return (
      (causes.length === 0 || causes.includes(ANY_CAUSE) || causes.includes(row.cause)) &&
      words.every((word) => all.includes(word))
    );
  });
}

export function IncidentsView() {
  const model = useModel("address");
  const tick = useTick(REFRESH_MS);
  const [opened] = useState(() => Date.now() / 1000);
  const { days, at, filters } = model.address;
  const now = at ?? Math.floor(opened + (tick * REFRESH_MS) / 1000);
  const { rows, whole, error } = useIncidents(days, now);
  const shown = inFocus(rows ?? [], filters);
  return (
    <section class="page-view" aria-label="Incidents">
      <div class="chart-head incidents-head">
        <h2>
          Incidents <span class="muted">{rows === null ? "" : shown.length}</span>
        </h2>
        <select
          class="select"
          aria-label="Span"
          value={String(days)}
          onChange={(event) => model.navigate({ days: Number(event.currentTarget.value) })}
        >
          {[...new Set([...SPANS.map(([span]) => span), days])]
            .sort((a, b) => a - b)
            .map((span) => (
              <option key={span} value={String(span)}>
                {spanName(span)}
              </option>
            ))}
        </select>
      </div>
      {error !== null && <Problem text={error} />}
      {rows === null && error === null && <Empty>Loading the history …</Empty>}
      {rows !== null && (
        <>
          <Days days={countByDay(shown, now - days * DAY, now)} />
          <Right />
          {!whole && error === null && <p class="muted">There are older ones …</p>}
          {shown.length === 0 && whole && <Empty>No incident in this time.</Empty>}
          {shown.length > 0 && (
            <div class="table-scroll" tabIndex={0} role="region" aria-label="Table of incidents">
              <Sortable
                caption="Incidents"
                columns={COLUMNS(model, now)}
                rows={shown}
                rowKey={(row) => row.id}
                initial={{ column: "since", falling: true }}
                file={fileName("incidents", now, "csv")}
                part={50}
              />
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** How often verdicts were right, by what people answered. */
function Right() {
  const { value } = useAnswer("precision", (signal) => api.precision(signal));
  const causes = value?.precision.filter(({ metric }) => metric === null) ?? [];
  if (!value || causes.length === 0) return null;
  const metrics = (cause: string) =>
    value.precision
      .filter((row) => row.cause === cause && row.metric !== null)
      .map(({ metric, right, wrong }) => `${metric}: ${right} of ${right + wrong}`)
      .join(", ");
  return (
    <p class="right">
      Right, by the answers of {value.days} days:{" "}
      {causes.map(({ cause, right, wrong }) => (
        <span key={cause} class="right-cause" title={metrics(cause)}>
          <CauseTag cause={cause} /> {right} of {right + wrong}
        </span>
      ))}
    </p>
  );
}

function spanName(days: number): string {
  const known = SPANS.find(([span]) => span === days);
  return known ? `The last ${known[1]}` : `The last ${days} days`;
}

const HEIGHT = 60;
const FAMILIES: readonly Family[] = ["storage", "network", "behaviour", "unknown"];

/** A column a day, by family of the cause; the table has the same for those who cannot see it. */
function Days({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map((day) => day.total));
  const width = 100 / Math.max(1, days.length);
  const date = (day: Day | undefined) => (day ? formatInstant(day.begin).slice(0, 10) : "");
  const total = days.reduce((sum, day) => sum + day.total, 0);
  return (
    <figure class="days">
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total} incidents in ${days.length} days, at most ${most} in a day`}
      >
        {days.map((day, i) => (
          <g key={day.begin}>
            <title>{`${date(day)}: ${day.total}`}</title>
            <rect class="days-ground" x={i * width} y={0} width={width} height={HEIGHT} />
            {stacked(day).map(({ family, below, count }) => (
              <rect
                key={family}
                class={`bar-${family}`}
                x={(i + 0.1) * width}
                y={HEIGHT * (1 - (below + count) / most)}
                width={0.8 * width}
                height={(HEIGHT * count) / most}
              />
            ))}
          </g>
        ))}
      </svg>
      <figcaption class="muted">
        <span>{date(days[0])}</span>
        <span>at most {most} a day</span>
        <span>{date(days[days.length - 1])}</span>
      </figcaption>
    </figure>
  );
}

function stacked({ counts }: Day): { family: Family; below: number; count: number }[] {
  let below = 0;
  return FAMILIES.flatMap((family) => {
    const count = counts[family] ?? 0;
    const part = { family, below, count };
    below += count;
    return count > 0 ? [part] : [];
  });
}
