// activity_part.tsx: of one node: latency of small and large requests, requests by size, its servers' operations.
import { api } from "../api/client";
import type { Activity, RequestRate } from "../api/types";
import { latencySeries, operationMix, sizeBars, type MixEntry, type SizeBar } from "../cluster/activity";
import { displayName } from "../text/names";
import { formatNumber, formatValue } from "../text/units";
import { Chart } from "./chart";
import { useAnswer, useModel, useTick } from "./hooks";
import { Name } from "./parts";
import type { Theme } from "./theme";

const REFRESH_MS = 5_000;
const CONTEXT_SECONDS = 600;
const DIRECTIONS = ["reads", "writes"] as const;

export function ActivityPart({ id, theme }: { id: string; theme: Theme }) {
  const model = useModel("cluster", "address");
  const tick = useTick(REFRESH_MS);
  const at = model.live ? model.address.at : Math.round(model.time);
  const key = `${id} ${at ?? `now ${tick}`}`;
  const until = at ?? (model.cluster ? Math.round(model.time) : undefined);
  const from = until ? until - CONTEXT_SECONDS : undefined;
  const { value } = useAnswer(key, (signal) => api.activity(id, from, at ?? undefined, signal));
  // A diagnoser without these answers, or a node that tells nothing, has a panel without this part.
  if (value?.node !== id) return null;
  return (
    <>
      {DIRECTIONS.map((direction) => (
        <Latency key={direction} activity={value} direction={direction} theme={theme} />
      ))}
      {value.disks && <Sizes bars={sizeBars(value.disks)} />}
      <Mix activity={value} />
    </>
  );
}

function Latency({
  activity,
  direction,
  theme,
}: {
  activity: Activity;
  direction: (typeof DIRECTIONS)[number];
  theme: Theme;
}) {
  const series = latencySeries(activity.history, direction);
  if (!series) return null;
  const now = activity.disks?.[direction === "reads" ? "read" : "write"];
  const text = (rate: RequestRate | undefined) => formatValue(rate?.seconds, "s");
  return (
    <section class="component" data-activity={direction}>
      <h3>Time of {direction}, by size</h3>
      <div class="small-chart">
        <p class="key">
          <span class="key-own" /> small, to 64 KiB <strong>{text(now?.small)}</strong>
          <span class="key-peers" /> large <strong>{text(now?.large)}</strong>
        </p>
        <Chart
          series={series}
          height={104}
          theme={theme}
          label={`Mean time of ${direction}: small ${text(now?.small)}, large ${text(now?.large)}`}
        />
      </div>
    </section>
  );
}

const WIDTH = 300;
const HEIGHT = 64;
const GAP = 0.12; // of a bar's width

function Sizes({ bars }: { bars: readonly SizeBar[] }) {
  if (bars.length === 0) return null;
  const most = Math.max(...bars.flatMap((bar) => [bar.read, bar.write]));
  const step = WIDTH / bars.length;
  const width = (step * (1 - 2 * GAP)) / 2;
  const bar = (kind: "read" | "write", rate: number, x: number) => (
    <rect
      class={`size-${kind}`}
      x={x}
      width={width}
      y={HEIGHT * (1 - rate / most)}
      height={(HEIGHT * rate) / most}
    />
  );
  const spoken = bars.map(
    ({ label, read, write }) => `${label}: ${formatNumber(read)} reads, ${formatNumber(write)} writes`,
  );
  return (
    <section class="component" data-activity="sizes">
      <h3>Requests a second, by size</h3>
      <p class="key">
        <span class="key-read" /> reads
        <span class="key-write" /> writes, the most <strong>{formatNumber(most)}/s</strong>
      </p>
      <svg
        class="sizes"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={spoken.join("; ")}
      >
        {bars.map((one, i) => (
          <g key={one.label}>
            {bar("read", one.read, i * step + GAP * step)}
            {bar("write", one.write, i * step + GAP * step + width)}
          </g>
        ))}
      </svg>
      <div class="dist-axis" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.length > 2 ? bars[Math.floor(bars.length / 2)]?.label : ""}</span>
        <span>{bars.length > 1 ? bars.at(-1)?.label : ""}</span>
      </div>
    </section>
  );
}

function Mix({ activity }: { activity: Activity }) {
  const mix = operationMix(activity.operations);
  if (mix.length === 0) return null;
  return (
    <section class="component" data-activity="mix">
      <h3>System calls a second, on files and connections</h3>
      <MixList mix={mix} />
    </section>
  );
}

/** Each operation with its rate, and a bar as long as its share. */
export function MixList({ mix }: { mix: readonly MixEntry[] }) {
  return (
    <ul class="mix">
      {mix.map(({ operation, rate, share, seconds }) => (
        <li key={operation} title={`${displayName(operation)}: ${formatValue(seconds, "s")} each`}>
          <span class="mix-name">
            <Name of={operation} />
          </span>
          <svg class="mix-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect class="size-write" width={Math.max(0.5, share * 100)} height={6} />
          </svg>
          <strong>{formatNumber(rate)}/s</strong>
        </li>
      ))}
    </ul>
  );
}
