// app.tsx: the parts of the page and where they stand.
import { useEffect } from "preact/hooks";
import { displayName } from "../text/names";
import { ClusterView } from "./cluster_view";
import { EvidenceDialog } from "./evidence_dialog";
import { Header } from "./header";
import { useModel } from "./hooks";
import { IncidentView } from "./incident_view";
import { IncidentsView } from "./incidents_view";
import { Legend } from "./legend";
import { MembersBar } from "./members_bar";
import { NodePanel } from "./node_panel";
import { NodesView } from "./nodes_view";
import { PersistentView } from "./persistent_view";
import { ServersView } from "./servers_view";
import { useTheme, type Theme } from "./theme";
import { Timeline } from "./timeline";
import { VerdictPanel } from "./verdict_panel";

export function App() {
  const [theme, toggleTheme] = useTheme();
  useKeys();
  useTitle();
  return (
    <div class="app">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header theme={theme} onTheme={toggleTheme} />
      <MembersBar />
      <Content theme={theme} />
      <Timeline />
      <EvidenceDialog theme={theme} />
    </div>
  );
}

function Content({ theme }: { theme: Theme }) {
  const { address } = useModel("address");
  if (address.incident !== null) {
    return (
      <main class="content" id="content">
        <IncidentView id={address.incident} />
      </main>
    );
  }
  return (
    <main class="content" id="content">
      {address.view === "cluster" && (
        <div class="map">
          <ClusterView theme={theme} />
        </div>
      )}
      {address.view === "nodes" && <NodesView />}
      {address.view === "servers" && <ServersView />}
      {address.view === "incidents" && <IncidentsView />}
      {address.view === "persistent" && <PersistentView />}
      <SidePanel theme={theme} />
    </main>
  );
}

function SidePanel({ theme }: { theme: Theme }) {
  const { address } = useModel("address");
  if (address.legend) return <Legend />;
  if (address.node !== null) return <NodePanel id={address.node} theme={theme} />;
  return address.view === "cluster" ? <VerdictPanel /> : null;
}

/** Keys that work everywhere but in fields. */
function useKeys(): void {
  const model = useModel();
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const inField =
        event.target instanceof HTMLInputElement ||
        event.target instanceof HTMLSelectElement ||
        event.target instanceof HTMLTextAreaElement;
      if (event.key === "/" && !inField) {
        event.preventDefault();
        document.getElementById("search")?.focus();
      }
      // A dialog that is open closes itself.
      if (event.key === "Escape" && model.address.evidence === null)
        model.navigate({ node: null, legend: false });
      if (event.key === "?" && !inField) model.navigate({ legend: !model.address.legend }, true);
    };
    window.addEventListener("keydown", handle);
    return () => window.removeEventListener("keydown", handle);
  }, [model]);
}

/** The tab says how things stand: it may be one of thirty. */
function useTitle(): void {
  const model = useModel("verdicts", "address", "cluster");
  useEffect(() => {
    const worst = [...model.marks.values()].filter((mark) => !mark.secondary);
    const first = worst[0]?.verdict;
    document.title = first
      ? `(${worst.length}) ${displayName(first.node)} ${displayName(first.cause)} – Limpet`
      : "Limpet";
  });
}
