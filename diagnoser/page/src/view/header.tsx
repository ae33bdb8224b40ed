// header.tsx: what this is, how it stands, where to go, whom to look at.
import type { Theme } from "./theme";
import { ANY_CAUSE, isFiltered } from "../state/filters";
import type { Model } from "../state/model";
import { NO_FILTERS, type ViewName } from "../state/url";
import { displayName } from "../text/names";
import { describeStanding } from "../text/standing";
import { useModel } from "./hooks";
import { Icon } from "./parts";

const VIEWS: readonly [ViewName, string][] = [
  ["cluster", "Cluster"],
  ["nodes", "Nodes"],
  ["servers", "Side by side"],
  ["incidents", "Incidents"],
  ["persistent", "Persistent"],
];

/** Neither a replay nor the page above several diagnosers has a history of its own. */
const hasIncidents = (model: Model): boolean => model.live && model.members === null;

export function Header({ theme, onTheme }: { theme: Theme; onTheme: () => void }) {
  const model = useModel("address", "cluster");
  return (
    <header class="top">
      <h1 class="brand">
        <svg class="brand-sign" viewBox="0 0 32 32" aria-hidden="true">
          <path class="brand-shell" d="M3 25C5 14 11 7 16 7s11 7 13 18z" />
          <path class="brand-line" d="M2 25h28" />
        </svg>
        Limpet
      </h1>
      <nav class="tabs" aria-label="Views">
        {VIEWS.filter(([view]) => view !== "incidents" || hasIncidents(model)).map(([view, title]) => (
          <button
            type="button"
            key={view}
            class="tab"
            aria-current={model.address.view === view && model.address.incident === null ? "page" : undefined}
            onClick={() => model.navigate({ view, incident: null })}
          >
            {title}
          </button>
        ))}
      </nav>
      <Status />
      <span class="spacer" />
      <Search />
      <Filter />
      <button
        type="button"
        class="button icon-button"
        aria-label={theme === "dark" ? "Light colours" : "Dark colours"}
        onClick={onTheme}
      >
        <Icon name={theme === "dark" ? "sun" : "moon"} />
      </button>
      <button
        type="button"
        class="button icon-button"
        aria-label="Legend"
        aria-pressed={model.address.legend}
        onClick={() => model.navigate({ legend: !model.address.legend }, true)}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}

function Status() {
  const model = useModel("verdicts", "cluster", "connection", "address", "judged");
  if (model.error !== null) return <span class="status status-bad">{model.error}</span>;
  if (!model.cluster) return <span class="status">Loading …</span>;
  const indicted = [...model.marks.values()].filter((mark) => !mark.secondary).length;
  const lost = !model.connected && model.address.at === null;
  const standing = describeStanding(indicted, model.judged, model.verdictTime !== null, model.members ?? []);
  return (
    <span class={`status status-${standing.tone}`} role="status" title={standing.text}>
      <span class="dot" aria-hidden="true" />
      {standing.title}
      {lost && <span class="muted"> · connecting …</span>}
      {!model.live && <span class="muted"> · replay</span>}
    </span>
  );
}

function Search() {
  const model = useModel("address");
  const { filters } = model.address;
  return (
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        id="search"
        placeholder="Search nodes"
        aria-label="Search nodes, labels, devices"
        value={filters.text}
        maxLength={200}
        onInput={(event) =>
          model.navigate({ filters: { ...filters, text: event.currentTarget.value } }, true)
        }
      />
    </label>
  );
}

function Filter() {
  const model = useModel("address", "cluster");
  const { filters } = model.address;
  const { cluster } = model;
  const groups = [...new Set(cluster?.peer_groups.map((group) => group.peer_group))];
  const roles = [...new Set(cluster?.nodes.map((node) => node.role))];
  const pick = (
    name: string,
    value: string | undefined,
    options: readonly [string, string][],
    onPick: (value: string[]) => void,
  ) => (
    <select
      class="select"
      aria-label={name}
      value={value ?? ""}
      onChange={(event) => onPick(event.currentTarget.value ? [event.currentTarget.value] : [])}
    >
      <option value="">{name}: all</option>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
  const set = (change: Partial<typeof filters>) =>
    model.navigate({ filters: { ...filters, ...change } }, true);
  const named = (values: readonly string[]): [string, string][] =>
    values.filter(Boolean).map((value) => [value, displayName(value)]);
  return (
    <div class="filters" role="group" aria-label="Filters">
      {roles.length > 1 && pick("Role", filters.roles[0], named(roles), (picked) => set({ roles: picked }))}
      {groups.length > 1 &&
        pick("Group", filters.groups[0], named(groups), (picked) => set({ groups: picked }))}
      {pick(
        "Verdict",
        filters.causes[0],
        [[ANY_CAUSE, "any verdict"], ...named(cluster?.causes ?? [])],
        (picked) => set({ causes: picked }),
      )}
      {isFiltered(filters) && <Filtered />}
    </div>
  );
}

/** What can be done about the nodes that do not match: let them leave the map, or clear the filters. */
function Filtered() {
  const model = useModel("address");
  const { only, view } = model.address;
  return (
    <>
      {view === "cluster" && (
        <button
          type="button"
          class="chip only"
          aria-pressed={only}
          title="Nodes that do not match leave the map"
          onClick={() => model.navigate({ only: !only }, true)}
        >
          Only these
        </button>
      )}
      <button
        type="button"
        class="button"
        onClick={() => model.navigate({ filters: NO_FILTERS, only: false }, true)}
      >
        Clear
      </button>
    </>
  );
}
