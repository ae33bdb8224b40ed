// timeline_bars.tsx: incidents as bars over the last hours. A bar names itself under the pointer and in the keyboard's
// focus, and opens its evidence. The bars are one stop of the Tab key; arrows go from one to the next.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Verdict } from "../api/types";
import type { Model } from "../state/model";
import { layBars, MAX_LANES, ticks, type Bar, type Range } from "../state/timeline";
import { describeCause } from "../text/causes";
import { displayName } from "../text/names";
import { formatClock, formatDuration } from "../text/units";
import { useModel } from "./hooks";
import { CauseTag, Name } from "./parts";

const LANE = 12;
const LETTER_PIXELS = 12;
const NAME_PIXELS = 64;
const LETTER_WIDTH = 6.2; // of the bars' type, about
const MAX_NAMED = 8;
const CARD_WIDTH = 250;

export function TimelineBars({ range }: { range: Range }) {
  const model = useModel("verdicts");
  const box = useRef<SVGSVGElement>(null);
  const width = useWidth(box);
  const [shown, setShown] = useState<string | null>(null); // the bar that names itself
  const [stop, setStop] = useState<string | null>(null); // the bar that Tab goes to
  const { verdicts, completeSince } = model;
  const { begin, end } = range;
  const bars = useMemo(() => layBars(verdicts, { begin, end }), [verdicts, begin, end]);
  const at = bars.findIndex((bar) => bar.verdict.id === stop);
  const current = at >= 0 ? at : bars.length - 1;
  const move = (step: number) => {
    const next = bars[Math.min(bars.length - 1, Math.max(0, current + step))];
    if (!next) return;
    setStop(next.verdict.id);
    box.current?.querySelector<SVGGElement>(`[data-id="${next.verdict.id}"]`)?.focus();
  };
  const named = bars.find((bar) => bar.verdict.id === shown);
  return (
    <>
      <svg class="bars" ref={box} role="group" aria-label="Incidents">
        <Axis range={range} width={width} completeSince={completeSince} />
        {bars.map((bar, i) => (
          <BarItem
            key={bar.verdict.id}
            bar={bar}
            width={width}
            inOrder={i === current}
            onShow={setShown}
            onStop={setStop}
            onMove={move}
            model={model}
          />
        ))}
        <g aria-hidden="true">
          {bars.map((bar) => (
            <text key={bar.verdict.id} class="bar-text" x={bar.from * width + 3.5} y={bar.lane * LANE + 9}>
              {barText(bar, pixelsOf(bar, width))}
            </text>
          ))}
        </g>
      </svg>
      {named && <BarCard bar={named} width={width} />}
    </>
  );
}

function useWidth(box: { current: SVGSVGElement | null }): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || 600));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

function Axis({
  range,
  width,
  completeSince,
}: {
  range: Range;
  width: number;
  completeSince: number | null;
}) {
  const x = (time: number) => ((time - range.begin) / (range.end - range.begin)) * width;
  const long = range.end - range.begin > 900;
  const height = MAX_LANES * LANE;
  return (
    <g aria-hidden="true">
      {completeSince !== null && completeSince > range.begin && (
        <rect class="bars-unknown" x={0} y={0} width={Math.max(0, x(completeSince))} height={height} />
      )}
      {ticks(range, Math.max(2, Math.floor(width / 90))).map((time) => (
        <g key={time}>
          <line class="bars-tick" x1={x(time)} x2={x(time)} y1={0} y2={height} />
          <text class="bars-label" x={x(time) + 3} y={height + 12}>
            {formatClock(time, !long)}
          </text>
        </g>
      ))}
    </g>
  );
}

interface ItemProps {
  bar: Bar;
  width: number;
  inOrder: boolean; // where Tab stops
  onShow: (id: string | null) => void;
  onStop: (id: string) => void;
  onMove: (step: number) => void;
  model: Model;
}

function BarItem({ bar, width, inOrder, onShow, onStop, onMove, model }: ItemProps) {
  const { verdict, more } = bar;
  const open = () => model.navigate({ node: verdict.node, evidence: verdict.id, cause: null, metric: null });
  const keys: Record<string, () => void> = {
    ArrowLeft: () => onMove(-1),
    ArrowRight: () => onMove(1),
    Enter: open,
    " ": open,
  };
  const { family } = describeCause(verdict.cause);
  return (
    <g
      class="bar-item"
      data-id={verdict.id}
      role="button"
      tabindex={inOrder ? 0 : -1}
      aria-label={spoken(bar)}
      onClick={open}
      onPointerEnter={() => onShow(verdict.id)}
      onPointerLeave={() => onShow(null)}
      onFocus={() => {
        onStop(verdict.id);
        onShow(verdict.id);
      }}
      onBlur={() => onShow(null)}
      onKeyDown={(event) => {
        const act = keys[event.key];
        if (!act) return;
        event.preventDefault();
        event.stopPropagation();
        act();
      }}
    >
      <rect
        class={`bar ${more.length > 0 ? "bar-several" : `bar-${family}`}${verdict.secondary_to === null ? "" : " bar-secondary"}`}
        x={bar.from * width}
        y={bar.lane * LANE + 0.5}
        width={pixelsOf(bar, width)}
        height={LANE - 1}
        rx={2}
      />
    </g>
  );
}

const pixelsOf = (bar: Bar, width: number): number => Math.max(4, (bar.to - bar.from) * width);

function barText({ verdict, more }: Bar, pixels: number): string {
  if (pixels < LETTER_PIXELS) return "";
  if (more.length > 0) return `+${more.length + 1}`.slice(0, Math.floor(pixels / LETTER_WIDTH));
  const { letter } = describeCause(verdict.cause);
  const room = Math.floor((pixels - 8) / LETTER_WIDTH) - 2;
  if (pixels < NAME_PIXELS) return letter;
  const name = displayName(verdict.node);
  return `${letter} ${name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name}`;
}

function when(verdict: Verdict): string {
  const since = `since ${formatClock(verdict.since, false)}`;
  return verdict.end === null
    ? `${since}, goes on`
    : `${since}, lasted ${formatDuration(verdict.end - verdict.since)}`;
}

function spoken({ verdict, more }: Bar): string {
  const name = (one: Verdict) => `${displayName(one.node)}, ${displayName(one.cause)}`;
  if (more.length === 0) return `${name(verdict)}, ${when(verdict)}`;
  const all = [verdict, ...more].slice(0, MAX_NAMED).map(name);
  return `${more.length + 1} incidents: ${all.join("; ")}`;
}

function BarCard({ bar, width }: { bar: Bar; width: number }) {
  const middle = ((bar.from + bar.to) / 2) * width;
  const left = Math.min(Math.max(0, width - CARD_WIDTH), Math.max(0, middle - CARD_WIDTH / 2));
  const all = [bar.verdict, ...bar.more];
  return (
    <div class="bar-card" aria-hidden="true" style={{ left: `${left}px` }}>
      {all.slice(0, MAX_NAMED).map((verdict) => (
        <div key={verdict.id} class="bar-card-item">
          <p class="tooltip-head">
            <Name of={verdict.node} />
            <CauseTag cause={verdict.cause} quiet={verdict.secondary_to !== null} />
          </p>
          {all.length === 1 && verdict.reason !== "" && (
            <p>
              <Name of={verdict.reason} />
            </p>
          )}
          <p class="muted">{when(verdict)}</p>
        </div>
      ))}
      {all.length > MAX_NAMED && <p class="muted">and {all.length - MAX_NAMED} more</p>}
    </div>
  );
}
