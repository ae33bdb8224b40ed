#include "diagnoser/custom/cell_names.h"

#include <algorithm>
#include <utility>

#include "diagnoser/custom/series_table.h"

namespace limpet {

std::string_view NodeOf(const LabelPairs& labels, const SourceLabels& source) {
  return source.node.empty() ? FindLabel(labels, "instance") : source.node;
}
std::string_view HostOf(const LabelPairs& labels, const SourceLabels& source) {
  const auto host = std::ranges::find(source.labels, std::string_view("host"),
                                      &std::pair<std::string, std::string>::first);
  return host == source.labels.end() || host->second.empty() ? NodeOf(labels, source)
                                                             : std::string_view(host->second);
}
std::string_view RoleOf(const LabelPairs& labels, const SourceLabels& source) {
  return source.role.empty() ? FindLabel(labels, "role") : source.role;
}

std::optional<std::string> NameComponent(const CustomMetric& metric, const LabelPairs& labels) {
  std::string name;
  for (const auto& label : metric.component) {
    const auto value = FindLabel(labels, label);
    if (value.empty()) {
      return std::nullopt;
    }
    name.append(name.empty() ? "" : "/").append(value);
  }
  name.resize(std::min(name.size(), kMaxComponentBytes));
  return name;
}

LabelPairs KeepWanted(const CustomMetric& metric, const LabelPairs& labels) {
  LabelPairs kept;
  const auto keep = [&](const std::string& name) {
    if (!name.empty() && FindLabel(kept, name).empty()) {
      kept.emplace_back(name, FindLabel(labels, name));
    }
  };
  for (const auto* label : {&metric.node, &metric.device}) {
    std::ranges::for_each(label->join.on, keep);
    if (label->join.series.empty()) {
      keep(label->label);
    }
  }
  std::ranges::for_each(metric.peers.join.on, keep);
  if (metric.peers.join.series.empty()) {
    std::ranges::for_each(metric.peers.same, keep);
  }
  return kept;
}

std::string CellKey(std::size_t number, const CustomMetric& metric, const std::string& component,
                    const LabelPairs& labels, const SourceLabels& source) {
  auto key = std::to_string(number).append(1, '\0').append(component).append(1, '\0');
  if (!metric.node.join.series.empty()) {
    return key;
  }
  return key.append(metric.node.label.empty() ? NodeOf(labels, source)
                                              : FindLabel(labels, metric.node.label));
}

std::string NameInKey(const std::string& key) { return key.substr(key.find('\0') + 1); }

}  // namespace limpet
