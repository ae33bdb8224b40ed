// legend.tsx: what each sign means; docs/live-page.md says more.
import { CAUSES } from "../text/cause_table";
import { useModel } from "./hooks";
import { CauseTag, Icon, Name } from "./parts";

const KEYS: readonly [string, string][] = [
  ["← ↑ → ↓", "move over the nodes (Shift: move the map)"],
  ["Enter", "open the node, or its evidence"],
  ["N", "next node with a verdict"],
  ["Z", "zoom to the node"],
  ["+ − 0", "zoom in, out, show all"],
  ["/", "search"],
  ["Esc", "close"],
];

const LINKS: readonly [string, string][] = [
  ["/metrics", "Metrics"],
  ["/api/v1/verdicts", "Verdicts as JSON"],
  ["/api/v1/persistent", "Persistent anomalies as JSON"],
  ["/api/v1/groups", "Peer groups"],
  ["/api/v1/targets", "Targets"],
  ["/playbooks", "Playbooks"],
  ["/docs", "Documents"],
  ["/-/healthy", "Health"],
  ["/-/ready", "Readiness"],
];

export function Legend() {
  const model = useModel("address");
  return (
    <aside class="panel" aria-label="Legend">
      <header class="panel-head">
        <h2>Legend</h2>
        <button
          type="button"
          class="button icon-button"
          aria-label="Close"
          onClick={() => model.navigate({ legend: false }, true)}
        >
          <Icon name="close" />
        </button>
      </header>
      <NodeSigns />
      <Rings />
      <Kinds />
      <KeysAndLinks />
      <p class="muted">limpet-diagnoser {model.cluster?.program ?? ""}</p>
    </aside>
  );
}

function NodeSigns() {
  return (
    <>
      <h3>A node</h3>
      <ul class="legend-list">
        <li>
          <Sign shape="square" /> server <Sign shape="hexagon" /> metadata <Sign shape="circle" /> client{" "}
          <Sign shape="diamond" /> other
        </li>
        <li>
          The fill's shade is what Colour says, disk requests at first: darker means more in light colours,
          lighter in dark ones. Grey: not known.
        </li>
        <li>
          <svg class="legend-sign" viewBox="0 0 20 20" aria-hidden="true">
            <path class="legend-arrow" d="M2 5l8 5-8 5z" />
          </svg>
          network: into the node on its left, out of it on its right; a triangle grows with the traffic
        </li>
        <li>
          <svg class="legend-sign" viewBox="0 0 20 20" aria-hidden="true">
            <rect class="legend-track" x="5" y="2" width="4" height="16" />
            <rect class="legend-bar" x="5" y="9" width="4" height="9" />
            <rect class="legend-track" x="11" y="2" width="4" height="16" />
            <rect class="legend-space" x="11" y="6" width="4" height="12" />
          </svg>
          upright bars: how busy its busiest disk is (dark), and how full its disks are (pale)
        </li>
        <li>
          <svg class="legend-sign legend-strip" viewBox="0 0 48 8" aria-hidden="true">
            <rect class="legend-track" width="48" height="8" />
            <rect class="heat-1" x="14" width="6" height="8" />
            <rect class="heat-2" x="26" width="6" height="8" />
            <rect class="heat-3" x="32" width="16" height="8" />
          </svg>{" "}
          the last two hours: how far from its peers (pale: nearly flagged; strong: flagged; darkest: far)
        </li>
        <li>A dashed outline: the node does not answer.</li>
      </ul>
    </>
  );
}

function Rings() {
  return (
    <>
      <h3>Rings</h3>
      <p class="muted">
        Whole: this node is the culprit. Dashed: a worse one explains it. The letter is the cause.
      </p>
      <ul class="legend-causes">
        {CAUSES.map((cause) => (
          <li key={cause.name}>
            <CauseTag cause={cause.name} />
            <span>{cause.meaning}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How groups that nobody configured were made, and who is compared with nobody. */
function Kinds() {
  const model = useModel("cluster");
  const told = model.groups?.disk_kinds ?? [];
  if (told.length === 0) return null;
  return (
    <>
      <h3>Who is compared with whom</h3>
      <ul class="kinds">
        {told.map((group) => (
          <li key={group.peer_group}>
            <strong>
              <Name of={group.peer_group} />
            </strong>
            : <Name of={group.kinds} />
            {group.alone.map((text) => (
              <p class="muted" key={text}>
                <Name of={text} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function KeysAndLinks() {
  return (
    <>
      <h3>Keys</h3>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <h3>More</h3>
      <ul class="links">
        {LINKS.map(([path, text]) => (
          <li key={path}>
            <a href={path}>{text}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

const OUTLINES = {
  square: "M4 5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z",
  circle: "M10 3.5a6.5 6.5 0 1 0 .01 0z",
  hexagon: "M3 10l3.5-6h7l3.5 6-3.5 6h-7z",
  diamond: "M10 2.5L17.5 10 10 17.5 2.5 10z",
};

function Sign({ shape }: { shape: keyof typeof OUTLINES }) {
  return (
    <svg class="legend-sign" viewBox="0 0 20 20" aria-hidden="true">
      <path class="legend-shape" d={OUTLINES[shape]} />
    </svg>
  );
}
