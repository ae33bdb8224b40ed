// parts.tsx: small pieces that several views share.
import type { ComponentChildren } from "preact";
import { describeCause } from "../text/causes";
import { dashboardOf, ownDashboard } from "../text/grafana";
import { displayName } from "../text/names";
import { useModel } from "./hooks";

/** A name from another machine: text alone, kept apart from the direction of the text around it. */
export function Name({ of }: { of: string }) {
  return <bdi class="name">{displayName(of)}</bdi>;
}

/** A cause as sign and word. */
export function CauseTag({ cause, quiet = false }: { cause: string; quiet?: boolean }) {
  const { letter, family } = describeCause(cause);
  return (
    <span class={`cause cause-${family}${quiet ? " cause-quiet" : ""}`}>
      <span class="cause-letter" aria-hidden="true">
        {letter}
      </span>
      {displayName(cause)}
    </span>
  );
}

/** To a server's dashboard; nothing where the diagnoser does not know of any. */
export function Dashboard({ node, span }: { node: string; span: { begin: number; end: number } | null }) {
  const model = useModel("cluster", "judged");
  const own = ownDashboard(model.cluster?.grafana, model.members, node);
  const address = dashboardOf(own.grafana, own.node, span);
  if (address === null) return null;
  return (
    <a class="dashboard" href={address} target="_blank" rel="noreferrer">
      Dashboard in Grafana
    </a>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Problem({ text }: { text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

interface IconProps {
  name:
    "close" | "search" | "sun" | "moon" | "help" | "plus" | "minus" | "fit" | "play" | "pause" | "sliders";
}

const PATHS: Record<IconProps["name"], string> = {
  close: "M4 4l8 8M12 4l-8 8",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8 14 14",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z",
  help: "M8 15A7 7 0 1 0 8 1a7 7 0 0 0 0 14zM6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 12v.1",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  play: "M4 2.5v11l9-5.5z",
  pause: "M5 3v10M11 3v10",
  sliders: "M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 2.5v4M6 9.5v4",
};

export function Icon({ name }: IconProps) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
