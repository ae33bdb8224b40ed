// timeline.tsx: when: the verdicts of the last hours, to scrub over; a replay also plays.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Verdict } from "../api/types";
import { layBars, MAX_LANES, ticks, type Range } from "../state/timeline";
import { SPEEDS } from "../state/url";
import { describeCause } from "../text/causes";
import { formatClock, formatDuration, formatInstant } from "../text/units";
import { useModel } from "./hooks";
import { Icon } from "./parts";

const LANE = 7;

export function Timeline() {
  const model = useModel("verdicts", "cluster", "address", "connection", "readings");
  if (!model.cluster) return null;
  const { range } = model;
  const following = model.live && model.address.at === null;
  const time = Math.min(range.end, Math.max(range.begin, model.time));
  return (
    <footer class="timeline" aria-label="Timeline">
      {model.live ? (
        <button type="button" class="button now" aria-pressed={following} onClick={() => model.seek(null)}>
          <span class={`dot ${following && model.connected ? "dot-live" : ""}`} aria-hidden="true" />
          {following ? "Live" : "Back to now"}
        </button>
      ) : (
        <Player />
      )}
      <div class="track">
        <Bars range={range} />
        <input
          type="range"
          class="scrub"
          aria-label="Instant shown"
          aria-valuetext={formatInstant(time)}
          min={Math.floor(range.begin)}
          max={Math.ceil(range.end)}
          step={1}
          value={time}
          onInput={(event) => {
            const at = Number(event.currentTarget.value);
            // The right end is now: there the page follows again.
            model.seek(model.live && at >= range.end - 20 ? null : at);
          }}
        />
      </div>
      <p class="clock">
        <strong>{formatClock(time)}</strong>
        <span class="muted">
          {following
            ? "now"
            : model.live
              ? `${formatDuration(Math.max(0, range.end - time))} ago`
              : new Date(time * 1000).toISOString().slice(0, 10)}
        </span>
      </p>
    </footer>
  );
}

function Player() {
  const model = useModel("address", "connection");
  return (
    <div class="player" role="group" aria-label="Replay">
      <button
        type="button"
        class="button icon-button primary"
        aria-label={model.playing ? "Pause" : "Play"}
        onClick={() => (model.playing ? model.pause() : model.play(model.address.speed))}
      >
        <Icon name={model.playing ? "pause" : "play"} />
      </button>
      <select
        class="select"
        aria-label="Speed"
        value={String(model.address.speed)}
        onChange={(event) => {
          const speed = Number(event.currentTarget.value);
          if (model.playing) model.play(speed);
          else model.navigate({ speed }, true);
        }}
      >
        {[...new Set([...SPEEDS, model.address.speed])].map((speed) => (
          <option key={speed} value={String(speed)}>
            {speed}×
          </option>
        ))}
      </select>
    </div>
  );
}

function Bars({ range }: { range: Range }) {
  const model = useModel("verdicts");
  const box = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || 600));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { verdicts, completeSince } = model;
  const { begin, end } = range;
  const drawn = useMemo(
    () => <BarSigns verdicts={verdicts} completeSince={completeSince} range={{ begin, end }} width={width} />,
    [verdicts, completeSince, begin, end, width],
  );
  return (
    <svg class="bars" ref={box} aria-hidden="true">
      {drawn}
    </svg>
  );
}

interface BarProps {
  verdicts: readonly Verdict[];
  completeSince: number | null;
  range: Range;
  width: number;
}

function BarSigns({ verdicts, completeSince, range, width }: BarProps) {
  const x = (time: number) => ((time - range.begin) / (range.end - range.begin)) * width;
  const long = range.end - range.begin > 900;
  return (
    <>
      {completeSince !== null && completeSince > range.begin && (
        <rect
          class="bars-unknown"
          x={0}
          y={0}
          width={Math.max(0, x(completeSince))}
          height={MAX_LANES * LANE}
        />
      )}
      {ticks(range, Math.max(2, Math.floor(width / 90))).map((time) => (
        <g key={time}>
          <line class="bars-tick" x1={x(time)} x2={x(time)} y1={0} y2={MAX_LANES * LANE} />
          <text class="bars-label" x={x(time) + 3} y={MAX_LANES * LANE + 11}>
            {formatClock(time, !long)}
          </text>
        </g>
      ))}
      {layBars(verdicts, range).map(({ verdict, lane, from, to }) => (
        <rect
          key={verdict.id}
          class={`bar bar-${describeCause(verdict.cause).family}${verdict.secondary_to === null ? "" : " bar-secondary"}`}
          x={from * width}
          y={lane * LANE + 1}
          width={Math.max(3, (to - from) * width)}
          height={LANE - 2}
          rx={1.5}
        />
      ))}
    </>
  );
}
