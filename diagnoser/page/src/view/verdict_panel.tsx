// verdict_panel.tsx: who is the culprit, now or at the instant shown, and what has been before.
import type { Verdict } from "../api/types";
import { activeAt, listed } from "../cluster/verdicts";
import { describeServer, describeStanding } from "../text/standing";
import { formatClock, formatDuration } from "../text/units";
import { verdictMeaning } from "../text/verdict_words";
import { useModel } from "./hooks";
import { CauseTag, Name } from "./parts";

const MAX_ENDED = 30;
const MAX_ACTIVE = 200;
const MAX_NOT_JUDGED = 20;

export function VerdictPanel() {
  const model = useModel("verdicts", "cluster", "address", "judged");
  const time = model.verdictTime;
  const all = listed(model.verdicts, time);
  const active = all.filter((verdict) => activeAt(verdict, time));
  const ended = all.filter((verdict) => !activeAt(verdict, time)).slice(0, MAX_ENDED);
  return (
    <aside class="panel" aria-label="Verdicts">
      <header class="panel-head">
        <h2>Verdicts</h2>
      </header>
      <Quiet active={active} />
      <ul class="verdicts">
        {active.slice(0, MAX_ACTIVE).map((verdict) => (
          <Item key={verdict.id} verdict={verdict} active />
        ))}
      </ul>
      {ended.length > 0 && (
        <>
          <h3>Earlier</h3>
          <ul class="verdicts">
            {ended.map((verdict) => (
              <Item key={verdict.id} verdict={verdict} active={false} />
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}

/** Who is not judged, and that nobody limps, where that is known. */
function Quiet({ active }: { active: readonly Verdict[] }) {
  const model = useModel();
  const indicted = active.filter((verdict) => verdict.secondary_to === null).length;
  const { tone, title, text } = describeStanding(indicted, model.judged, model.verdictTime !== null);
  const servers = model.verdictTime === null ? (model.judged?.servers ?? []) : [];
  const listed = servers.filter((server) => server.reason !== "no-peer-group").slice(0, MAX_NOT_JUDGED);
  if (tone === "bad" && text === "") return null;
  return (
    <div class={`quiet quiet-${tone}`}>
      {tone !== "bad" && <p class="quiet-title">{title}.</p>}
      {text !== "" && <p class="muted">{text}</p>}
      {tone !== "good" && listed.length > 0 && (
        <ul class="not-judged">
          {listed.map((server) => (
            <li key={server.node}>
              <button
                type="button"
                class="row-button"
                onClick={() => model.navigate({ node: server.node, evidence: null })}
              >
                <Name of={server.node} />
                <span class="muted">{describeServer(server)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Item({ verdict, active }: { verdict: Verdict; active: boolean }) {
  const model = useModel("address");
  const lasted = formatDuration(((active ? null : verdict.end) ?? model.time) - verdict.since);
  return (
    <li>
      <button
        type="button"
        class={`verdict ${active ? "verdict-active" : "verdict-ended"}`}
        onClick={() => model.navigate({ node: verdict.node, evidence: verdict.id, metric: null })}
      >
        <span class="verdict-head">
          <Name of={verdict.node} />
          <CauseTag cause={verdict.cause} quiet={!active || verdict.secondary_to !== null} />
        </span>
        <span class="verdict-text">
          {verdictMeaning(verdict)}
          {verdict.secondary_to !== null && (
            <>
              {" "}
              — explained by <Name of={verdict.secondary_to} />
            </>
          )}
        </span>
        {verdict.reason !== "" && (
          <span class="verdict-reason">
            <Name of={verdict.reason} />
          </span>
        )}
        <span class="muted">
          since {formatClock(verdict.since, false)}, {active ? `for ${lasted}` : `lasted ${lasted}`} · named
          at {formatClock(verdict.named, false)}
        </span>
      </button>
    </li>
  );
}
