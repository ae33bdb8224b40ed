// verdict_panel.tsx: who is the culprit, now or at the instant shown, and what has been before.
import type { Verdict } from "../api/types";
import { activeAt, listed } from "../cluster/verdicts";
import { describeCause } from "../text/causes";
import { formatClock, formatDuration } from "../text/units";
import { useModel } from "./hooks";
import { CauseTag, Name } from "./parts";

const MAX_ENDED = 30;
const MAX_ACTIVE = 200;

export function VerdictPanel() {
  const model = useModel("verdicts", "cluster", "address");
  const time = model.verdictTime;
  const all = listed(model.verdicts, time);
  const active = all.filter((verdict) => activeAt(verdict, time));
  const ended = all.filter((verdict) => !activeAt(verdict, time)).slice(0, MAX_ENDED);
  return (
    <aside class="panel" aria-label="Verdicts">
      <header class="panel-head">
        <h2>Verdicts</h2>
      </header>
      {active.length === 0 && (
        <div class="quiet">
          <p class="quiet-title">Nobody limps.</p>
          <p class="muted">All compared nodes behave like their peers.</p>
        </div>
      )}
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

function Item({ verdict, active }: { verdict: Verdict; active: boolean }) {
  const model = useModel("address");
  const lasted = formatDuration(((active ? null : verdict.end) ?? model.time) - verdict.begin);
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
          {describeCause(verdict.cause).meaning}
          {verdict.secondary_to !== null && (
            <>
              {" "}
              — explained by <Name of={verdict.secondary_to} />
            </>
          )}
        </span>
        <span class="muted">
          {formatClock(verdict.begin, false)} · {active ? `for ${lasted}` : `lasted ${lasted}`} · degree{" "}
          {verdict.degree.toPrecision(2)}
        </span>
      </button>
    </li>
  );
}
