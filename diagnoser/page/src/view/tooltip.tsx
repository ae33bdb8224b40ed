// tooltip.tsx: what is under the pointer.
import type { ColumnName } from "../api/types";
import type { BuiltNode } from "../render/scene_builder";
import { nodeValues } from "../text/describe_node";
import { describeServer } from "../text/standing";
import { useModel } from "./hooks";
import { CauseTag, Name } from "./parts";

export interface Hovered {
  node: BuiltNode;
  x: number;
  y: number;
}

const SHOWN: readonly ColumnName[] = [
  "load",
  "cpu",
  "system_load",
  "util",
  "space",
  "disk_read",
  "disk_write",
  "net_in",
  "net_out",
  "metadata",
  "small_writes",
  "large_writes",
];
const WIDTH = 260;

export function Tooltip({ hovered }: { hovered: Hovered }) {
  const model = useModel("readings", "verdicts", "judged");
  const { node, x, y } = hovered;
  const entry = model.nodes.get(node.id);
  if (!entry) return null;
  const mark = model.marks.get(node.id);
  const standing =
    model.verdictTime === null
      ? describeServer(model.judged?.servers.find((one) => one.node === node.id))
      : "";
  const left = x + WIDTH + 30 > window.innerWidth ? x - WIDTH - 12 : x + 16;
  const below = y < window.innerHeight * 0.45;
  return (
    <div
      class="tooltip"
      aria-hidden="true"
      style={{
        transform: `translate(${left}px, ${y + (below ? 14 : -14)}px) translateY(${below ? 0 : -100}%)`,
      }}
    >
      <div class="tooltip-head">
        <Name of={node.id} />
        <span class="muted">
          <Name of={entry.node.role} />
        </span>
      </div>
      {mark && <CauseTag cause={mark.verdict.cause} quiet={mark.secondary} />}
      {node.down ? <p class="muted">does not answer</p> : standing !== "" && <p class="muted">{standing}</p>}
      {model.goneBack && !model.readingsFit && <p class="muted">{model.pastText}</p>}
      <dl class="values">
        {nodeValues(model, node.id, SHOWN).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
