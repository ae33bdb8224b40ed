// incident_view.tsx: one incident on a page of its own, by its id: its whole life, what decided it, where to look.
import { useState } from "preact/hooks";
import { api } from "../api/client";
import { lifeOf, type Incident } from "../api/incident";
import { formatAddress, HOME } from "../state/url";
import { displayName } from "../text/names";
import { formatDuration, formatInstant } from "../text/units";
import { AnswerForm } from "./answer_form";
import { useAnswer, useModel, useTick } from "./hooks";
import { CauseTag, Dashboard, Name, Problem } from "./parts";

const REFRESH_MS = 30_000;

export function IncidentView({ id }: { id: string }) {
  const tick = useTick(REFRESH_MS);
  const [answers, setAnswers] = useState(0); // given here: each has the incident read again
  const { value, error, loading } = useAnswer(`incident ${id} ${tick} ${answers}`, (signal) =>
    api.incident(id, signal),
  );
  return (
    <section class="page-view incident" aria-label="Incident">
      {error !== null && (
        <>
          <Problem text={`Incident ${displayName(id)}: ${error}`} />
          <p class="muted">
            It may be older than what is kept, or of another diagnoser. What was said lately stands on the{" "}
            <a href="/">map</a> and its timeline.
          </p>
        </>
      )}
      {value === null && loading && <p class="empty">Loading the incident …</p>}
      {value !== null && <Body incident={value} />}
      {value !== null && <AnswerForm id={value.id} onAnswered={() => setAnswers(answers + 1)} />}
    </section>
  );
}

function Body({ incident }: { incident: Incident }) {
  const model = useModel("cluster");
  const lasted = formatDuration((incident.ended ?? model.time) - incident.since);
  return (
    <>
      <h2>
        <Name of={incident.node} /> <CauseTag cause={incident.cause} />
      </h2>
      <p class="lead">
        <Name of={incident.text} />
      </p>
      <p class="muted">
        {incident.ended === null ? `goes on, for ${lasted}` : `lasted ${lasted}`}
        {(incident.episodes ?? 1) > 1 && ` · began ${incident.episodes} times`}
        {" · "}id {displayName(incident.id)}
      </p>
      <Links incident={incident} />
      <h3>Its life</h3>
      <ol class="life">
        {lifeOf(incident).map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <time dateTime={new Date(at * 1000).toISOString()}>{formatInstant(at)}</time>{" "}
            <span>{displayName(text)}</span>
          </li>
        ))}
      </ol>
      <List title="What decided" items={(incident.evidence ?? []).map((one) => one.text)} />
      <List title="Facts" items={(incident.facts ?? []).map((one) => one.text)} />
      <List title="Storms at that time" items={incident.storms ?? []} />
      <List title="Shared parts" items={incident.shared_parts ?? []} />
      {incident.next_step && (
        <div class="next-step">
          <h3>Next step</h3>
          <p>{incident.next_step}</p>
        </div>
      )}
    </>
  );
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="facts">
        {items.map((text) => (
          <li key={text}>
            <Name of={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Links({ incident: { node, cause, since, named, ended } }: { incident: Incident }) {
  const model = useModel("cluster");
  const at = Math.ceil(named);
  const links: [string, string][] = [
    [formatAddress({ ...HOME, node, cause, evidence: "1", at }), "Evidence"],
    [formatAddress({ ...HOME, node, at }), "The cluster at that time"],
    [formatAddress({ ...HOME, node }), "The server now"],
    ["/playbooks#what-to-do-about-a-cause", "What to do"],
  ];
  return (
    <ul class="links incident-links">
      {links.map(([path, text]) => (
        <li key={text}>
          <a href={path}>{text}</a>
        </li>
      ))}
      <li>
        <Dashboard node={node} span={{ begin: since, end: ended ?? model.time }} />
      </li>
    </ul>
  );
}
