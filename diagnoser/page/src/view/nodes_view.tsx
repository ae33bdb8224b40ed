// nodes_view.tsx: the same as the map of nodes, as a table.
import type { ClusterNode, ColumnName } from "../api/types";
import { matches } from "../state/filters";
import type { Model } from "../state/model";
import { isDown } from "../text/describe_node";
import { formatValue } from "../text/units";
import { fileName } from "./download";
import { useModel, useTick } from "./hooks";
import { CauseTag, Name } from "./parts";
import { Sortable, type TableColumn } from "./sortable";

const SHOWN: readonly [ColumnName, string][] = [
  ["load", "Requests"],
  ["util", "Busy"],
  ["disk_read", "Read"],
  ["disk_write", "Written"],
  ["net_in", "Received"],
  ["net_out", "Sent"],
  ["degree", "Degree"],
];
const REFRESH_MS = 2000; // a table that jumps twice a second cannot be read

interface Row {
  node: ClusterNode;
  place: number;
}

function readingColumns(model: Model): TableColumn<Row>[] {
  const value = (name: ColumnName, row: Row) =>
    model.readingsFit ? model.readings.value(name, row.place) : null;
  return SHOWN.map(([name, title]) => ({
    key: name,
    title,
    numeric: true,
    cell: (row) => value(name, row),
    show: (row) => formatValue(value(name, row), model.readings.column(name)?.unit ?? ""),
  }));
}

function identityColumns(model: Model): TableColumn<Row>[] {
  const { marks } = model;
  return [
    {
      key: "node",
      title: "Node",
      cell: ({ node }) => node.node,
      show: ({ node }) => (
        <button type="button" class="link" onClick={() => model.navigate({ node: node.node })}>
          <Name of={node.node} />
        </button>
      ),
    },
    {
      key: "role",
      title: "Role",
      cell: ({ node }) => node.role,
      show: ({ node }) => <Name of={node.role} />,
    },
    {
      key: "cause",
      title: "Verdict",
      cell: ({ node }) => marks.get(node.node)?.verdict.cause ?? null,
      show: ({ node }) => {
        const mark = marks.get(node.node);
        if (!mark) return isDown(model, node.node) ? <span class="muted">does not answer</span> : "";
        return (
          <button
            type="button"
            class="link"
            onClick={() => model.navigate({ node: node.node, evidence: mark.verdict.id })}
          >
            <CauseTag cause={mark.verdict.cause} quiet={mark.secondary} />
          </button>
        );
      },
    },
  ];
}

export function NodesView() {
  const model = useModel("cluster", "verdicts", "address");
  useTick(REFRESH_MS);
  const { marks } = model;
  const rows = [...model.nodes.values()].filter(({ node }) =>
    matches(node, marks.get(node.node)?.verdict.cause ?? null, model.address.filters),
  );
  const columns = [...identityColumns(model), ...readingColumns(model)];
  return (
    <section class="page-view" aria-label="Nodes">
      <h2>
        Nodes <span class="muted">{rows.length}</span>
      </h2>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Table of nodes">
        <Sortable
          caption="All nodes"
          columns={columns}
          rows={rows}
          rowKey={({ node }) => node.node}
          file={fileName("nodes", model.time, "csv")}
          initial={{ column: "cause", falling: false }}
        />
      </div>
    </section>
  );
}
