// evidence_dialog.tsx: why: all that stands behind one verdict.
import { useEffect, useRef } from "preact/hooks";
import { api } from "../api/client";
import type { Evidence } from "../api/types";
import type { Address } from "../state/url";
import { EvidenceBody } from "./evidence_body";
import { useAnswer, useModel } from "./hooks";
import { CauseTag, Dashboard, Icon, Name, Problem } from "./parts";
import type { Theme } from "./theme";
import { formatClock, formatDuration, formatInstant } from "../text/units";

function question(address: Address) {
  const { evidence, node, cause, at } = address;
  if (evidence === null) return null;
  if (evidence !== "1") return { id: evidence };
  if (node === null) return null;
  return { node, cause: cause ?? undefined, at: at ?? undefined };
}

export function EvidenceDialog({ theme }: { theme: Theme }) {
  const model = useModel("address");
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = question(model.address);
  const key = asked ? JSON.stringify(asked) : null;
  const { value, error, loading } = useAnswer<Evidence>(key, (signal) => api.evidence(asked ?? {}, signal));
  useEffect(() => {
    if (key !== null && dialog.current && !dialog.current.open) {
      dialog.current.showModal();
      // Not the button: who came to read begins at the beginning.
      dialog.current.focus();
    }
  }, [key]);
  if (key === null) return null;
  const close = () => model.navigate({ evidence: null, cause: null, metric: null });
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      class="evidence"
      aria-label="Evidence"
      onClose={close}
      onClick={(event) => {
        // A click beside it closes it, as in every dialog.
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="evidence-inner">
        <button
          type="button"
          class="button icon-button dialog-close"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
        {error !== null && <Problem text={error} />}
        {value === null && loading && <p class="empty">Loading the evidence …</p>}
        {value !== null && (
          <>
            <Head evidence={value} />
            <EvidenceBody evidence={value} theme={theme} />
          </>
        )}
      </div>
    </dialog>
  );
}

/** Where the diagnoser keeps incidents, the id of the one that this verdict is a part of. */
function incidentOf(verdict: object): string | null {
  return "incident" in verdict && typeof verdict.incident === "string" ? verdict.incident : null;
}

function Head({ evidence: { verdict } }: { evidence: Evidence }) {
  const model = useModel("cluster");
  const lasted = (verdict.end ?? model.range.end) - verdict.since;
  const incident = incidentOf(verdict);
  return (
    <header class="evidence-head">
      <h2>
        <Name of={verdict.node} /> <CauseTag cause={verdict.cause} />
      </h2>
      <Dashboard node={verdict.node} span={{ begin: verdict.since, end: verdict.end ?? model.range.end }} />
      <p class="muted">
        {verdict.end === null ? "since" : "from"} {formatInstant(verdict.since)}
        {verdict.end === null ? ", still going on" : `, for ${formatDuration(lasted)}`} · named at{" "}
        {formatClock(verdict.named)} · degree {verdict.degree.toPrecision(3)} · rank {verdict.rank}
        {verdict.secondary_to !== null && (
          <>
            {" "}
            · explained by <Name of={verdict.secondary_to} />
          </>
        )}
        {incident !== null && (
          <>
            {" "}
            · <a href={`/?incident=${encodeURIComponent(incident)}`}>its whole life</a>
          </>
        )}
      </p>
    </header>
  );
}
