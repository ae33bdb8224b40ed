// servers_view.tsx: servers of one kind side by side: latency of small and large requests, requests by size, operations,
// each on one scale for all, so that the one that differs is seen [Leung07].
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Activity, ClusterNode } from "../api/types";
import { sizeBars } from "../cluster/activity";
import {
  commonScales,
  ORDERS,
  orderNodes,
  scaledMix,
  serverRoles,
  type Order,
} from "../cluster/side_by_side";
import { matches } from "../state/filters";
import { displayName } from "../text/names";
import { formatNumber, formatValue } from "../text/units";
import { MixList } from "./activity_part";
import { useModel, useTick } from "./hooks";
import { CauseTag, Empty, Name } from "./parts";

const REFRESH_MS = 5000;
const PART = 24; // servers asked about and shown at once
const AT_ONCE = 4; // questions on their way

/** The activity of each of these nodes, asked again with every tick; what fails stays away. */
function useActivities(nodes: readonly string[], at: number | null): Map<string, Activity> {
  const [known, setKnown] = useState<Map<string, Activity>>(new Map());
  const tick = useTick(REFRESH_MS);
  const key = nodes.join("\n");
  useEffect(() => {
    const controller = new AbortController();
    const left = key === "" ? [] : key.split("\n");
    const ask = async (): Promise<void> => {
      for (let node = left.shift(); node !== undefined; node = left.shift()) {
        try {
          const found = await api.activity(node, undefined, at ?? undefined, controller.signal);
          if (controller.signal.aborted) return;
          setKnown((before) => new Map(before).set(found.node, found));
        } catch {
          if (controller.signal.aborted) return;
        }
      }
    };
    for (let i = 0; i < AT_ONCE; i += 1) void ask();
    return () => controller.abort();
  }, [key, at, at === null ? tick : 0]);
  return known;
}

export function ServersView() {
  const model = useModel("cluster", "verdicts", "address");
  const { kind, order } = model.address;
  const [shown, setShown] = useState(PART);
  const roles = serverRoles(model.cluster?.nodes ?? []);
  const chosen = kind ?? roles[0] ?? "";
  const { marks } = model;
  const servers = (model.cluster?.nodes ?? []).filter(
    (node) =>
      node.role === chosen &&
      matches(node, marks.get(node.node)?.verdict.cause ?? null, model.address.filters),
  );
  const value = (node: string) => {
    const place = model.nodes.get(node)?.place;
    return order === "name" || place === undefined || !model.readingsFit
      ? null
      : model.readings.value(order, place);
  };
  const list = orderNodes(servers, order, value).slice(0, shown);
  const at = model.live ? model.address.at : Math.round(model.time);
  // In the order of names: another order asks nothing anew.
  const activities = useActivities(list.map((node) => node.node).sort(), at);
  const told = list.flatMap((node) => activities.get(node.node) ?? []);
  const scales = commonScales(told);
  return (
    <section class="page-view" aria-label="Servers side by side">
      <div class="servers-head">
        <h2>
          Side by side <span class="muted">{servers.length}</span>
        </h2>
        <Choice
          name="Kind"
          value={chosen}
          options={roles.map((one) => [one, one])}
          onPick={(picked) => model.navigate({ kind: picked }, true)}
        />
        <Choice
          name="Order"
          value={order}
          options={ORDERS}
          onPick={(picked) => model.navigate({ order: picked as Order }, true)}
        />
      </div>
      <p class="muted lead">
        One scale for all. What a server tells by its collectors <code>block</code> and <code>syscall</code>:
        the time of small requests (to 64 KiB) beside large ones, requests by size, its operations.
      </p>
      {list.length === 0 && <Empty>No server of this kind matches.</Empty>}
      <ul class="side-by-side">
        {list.map((node) => (
          <Server key={node.node} node={node} activity={activities.get(node.node)} scales={scales} />
        ))}
      </ul>
      {servers.length > shown && (
        <button type="button" class="button more" onClick={() => setShown(shown + PART)}>
          Show more ({servers.length - shown} left)
        </button>
      )}
    </section>
  );
}

function Choice({
  name,
  value,
  options,
  onPick,
}: {
  name: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onPick: (value: string) => void;
}) {
  return (
    <select
      class="select"
      aria-label={name}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {displayName(text) || "no role"}
        </option>
      ))}
    </select>
  );
}

interface ServerProps {
  node: ClusterNode;
  activity: Activity | undefined;
  scales: { sizes: number; calls: number };
}

function Server({ node, activity, scales }: ServerProps) {
  const model = useModel("verdicts");
  const mark = model.marks.get(node.node);
  return (
    <li class="server">
      <p class="tooltip-head">
        <button type="button" class="link" onClick={() => model.navigate({ node: node.node })}>
          <Name of={node.node} />
        </button>
        {mark && <CauseTag cause={mark.verdict.cause} quiet={mark.secondary} />}
      </p>
      {activity && <Latencies activity={activity} />}
      {activity?.disks && <SizeChart activity={activity} most={scales.sizes} />}
      {activity && activity.operations.length > 0 && (
        <MixList mix={scaledMix(activity.operations, scales.calls)} />
      )}
      {activity && !activity.disks && activity.operations.length === 0 && (
        <p class="muted">Its exporter tells neither.</p>
      )}
    </li>
  );
}

function Latencies({ activity: { disks } }: { activity: Activity }) {
  if (!disks) return null;
  return (
    <dl class="latencies">
      {(["read", "write"] as const).map((direction) => (
        <div key={direction}>
          <dt>{direction}s</dt>
          <dd>
            {(["small", "large"] as const).map((size) => (
              <span class="latency" key={size}>
                {formatValue(disks[direction][size].seconds, "s")} <span class="muted">{size}</span>{" "}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const WIDTH = 200;
const HEIGHT = 44;

function SizeChart({ activity, most }: { activity: Activity; most: number }) {
  const { disks } = activity;
  if (!disks) return null;
  // All sizes, also the empty ones at the ends: the same place is the same size on every server.
  const count = disks.read.sizes.length;
  const step = WIDTH / count;
  const spoken = sizeBars(disks).map(
    ({ label, read, write }) => `${label}: ${formatNumber(read)} reads, ${formatNumber(write)} writes`,
  );
  const bar = (kind: "read" | "write", i: number, rate: number, x: number) => (
    <rect
      key={`${kind} ${i}`}
      class={`size-${kind}`}
      x={x}
      width={step * 0.4}
      y={HEIGHT * (1 - rate / most)}
      height={(HEIGHT * rate) / most}
    />
  );
  return (
    <svg
      class="small-multiple"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Requests a second by size: ${spoken.join("; ") || "none"}`}
    >
      {disks.read.sizes.map((rate, i) => bar("read", i, rate, i * step + step * 0.08))}
      {disks.write.sizes.map((rate, i) => bar("write", i, rate, i * step + step * 0.52))}
    </svg>
  );
}
