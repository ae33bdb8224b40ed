// answer_form.tsx: says what an incident was. The diagnoser takes it only from whoever has shown a password or certificate,
// and from its own page; its reason is shown when it does not.
import { useState } from "preact/hooks";
import { api, ApiError } from "../api/client";
import type { AnswerRequest } from "../api/types";
import { useModel } from "./hooks";
import { Problem } from "./parts";

const KINDS: readonly [AnswerRequest["as"], string][] = [
  ["fixed", "Fixed: a fault, and it is mended"],
  ["false-alarm", "False alarm: there was no fault"],
  ["known", "Known: a fault that stays for now"],
  ["maintenance", "Maintenance: not judged until then"],
  ["scrub", "Scrub, rebuild or backup: no fault"],
];
const LONGEST_NOTE = 500;

export function AnswerForm({ id, onAnswered }: { id: string; onAnswered: () => void }) {
  const { cluster } = useModel("cluster");
  const [open, setOpen] = useState(false);
  if (cluster?.members) return null; // a federation changes nothing at its diagnosers
  if (cluster && !cluster.live) return null;
  if (!open) {
    return (
      <button type="button" class="button answer-open" onClick={() => setOpen(true)}>
        Answer …
      </button>
    );
  }
  const done = () => {
    setOpen(false);
    onAnswered();
  };
  return <Fields id={id} onDone={done} onCancel={() => setOpen(false)} />;
}

interface Draft {
  as: AnswerRequest["as"];
  until: string;
  note: string;
}

function Fields({ id, onDone, onCancel }: { id: string; onDone: () => void; onCancel: () => void }) {
  const [draft, setDraft] = useState<Draft>({ as: "fixed", until: "", note: "" });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    const { as, until, note } = draft;
    setBusy(true);
    setError(null);
    try {
      await api.answer(id, { as, note, ...(until ? { until } : {}) });
      onDone();
    } catch (problem) {
      setError(problem instanceof ApiError ? problem.message : String(problem));
      setBusy(false);
    }
  };
  return (
    <form
      class="answer"
      aria-label="Answer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Kind draft={draft} onChange={setDraft} />
      <label>
        Until
        <input
          class="field"
          placeholder="2h"
          maxLength={20}
          required={draft.as === "maintenance"}
          value={draft.until}
          onInput={(event) => setDraft({ ...draft, until: event.currentTarget.value })}
        />
      </label>
      <label>
        Note
        <input
          class="field answer-note"
          maxLength={LONGEST_NOTE}
          value={draft.note}
          onInput={(event) => setDraft({ ...draft, note: event.currentTarget.value })}
        />
      </label>
      <button type="submit" class="button" disabled={busy}>
        Send
      </button>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
      {error !== null && <Problem text={error} />}
    </form>
  );
}

function Kind({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  return (
    <label>
      It was
      <select
        class="select"
        value={draft.as}
        onChange={(event) =>
          onChange({ ...draft, as: KINDS[event.currentTarget.selectedIndex]?.[0] ?? "fixed" })
        }
      >
        {KINDS.map(([kind, text]) => (
          <option key={kind} value={kind}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
