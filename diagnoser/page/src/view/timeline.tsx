// timeline.tsx: when: the verdicts of the last hours, to scrub over; a replay also plays.
import { SPEEDS } from "../state/url";
import { formatClock, formatDuration, formatInstant } from "../text/units";
import { useModel } from "./hooks";
import { Icon } from "./parts";
import { TimelineBars } from "./timeline_bars";

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
        <TimelineBars range={range} />
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
