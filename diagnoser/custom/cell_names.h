// cell_names.h: what the labels of a series say of the cell that it counts for: component, node,
// role.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/custom/metric.h"
#include "diagnoser/mapping/directory.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {

inline constexpr std::size_t kMaxComponentBytes = 200;

// The node and the role of the target; where it says nothing, what the labels say.
[[nodiscard]] std::string_view NodeOf(const LabelPairs& labels, const SourceLabels& source);
[[nodiscard]] std::string_view RoleOf(const LabelPairs& labels, const SourceLabels& source);
// Several targets of one machine have names of their own, and say in a label which machine it is.
[[nodiscard]] std::string_view HostOf(const LabelPairs& labels, const SourceLabels& source);

// "raidz1-0/sdc", cut off at kMaxComponentBytes; nullopt: a label is missing.
[[nodiscard]] std::optional<std::string> NameComponent(const CustomMetric& metric,
                                                       const LabelPairs& labels);
// The labels that are asked of the series itself.
[[nodiscard]] LabelPairs KeepWanted(const CustomMetric& metric, const LabelPairs& labels);

// Names that a join finds are those of the whole cluster; others may be there on every node.
[[nodiscard]] std::string CellKey(std::size_t number, const CustomMetric& metric,
                                  const std::string& component, const LabelPairs& labels,
                                  const SourceLabels& source);
// The same component with another metric has another key, and the same name in it.
[[nodiscard]] std::string NameInKey(const std::string& key);

}  // namespace limpet
