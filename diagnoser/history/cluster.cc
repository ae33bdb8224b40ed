#include "diagnoser/history/cluster.h"

#include <algorithm>
#include <set>
#include <utility>

namespace limpet {
namespace {

using NodesByName = std::map<std::string, ClusterNode>;

NodesByName CollectNodes(const Roster& roster, const KnownNodes& known) {
  NodesByName nodes;
  for (const auto& [name, one] : roster.nodes) {
    nodes[name] = {.node = name, .role = one.role, .labels = one.labels, .components = {}};
  }
  for (const auto& [name, one] : known) {
    // The configuration knows better than the data what a node is.
    auto& node = nodes[name];
    node.node = name;
    node.role = one.role;
    node.labels = one.labels;
  }
  for (std::size_t group = 0; group < roster.groups.size(); ++group) {
    for (const auto& component : roster.groups[group].components) {
      auto& node = nodes[component.node];
      node.node = component.node;
      node.components.push_back(
          {.component = component.component, .device = component.device, .group = group});
    }
  }
  return nodes;
}

}  // namespace

std::optional<std::size_t> Cluster::Find(std::string_view node) const {
  const auto found = std::lower_bound(
      nodes.begin(), nodes.end(), node,
      [](const ClusterNode& one, std::string_view name) { return one.node < name; });
  if (found == nodes.end() || found->node != node) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - nodes.begin());
}

Cluster MakeCluster(const Roster& roster, const KnownNodes& known,
                    const std::vector<PresetSettings>& presets) {
  Cluster cluster;
  std::vector<std::set<std::string>> roles(roster.groups.size());
  for (auto& [name, node] : CollectNodes(roster, known)) {
    for (const auto& component : node.components) {
      roles[component.group].insert(node.role);
    }
    cluster.nodes.push_back(std::move(node));
  }
  for (std::size_t i = 0; i < roster.groups.size(); ++i) {
    cluster.groups.push_back({.group = roster.groups[i].group,
                              .kind = roster.groups[i].kind,
                              .roles = {roles[i].begin(), roles[i].end()}});
  }
  for (const auto& preset : presets) {
    if (!preset.IsScale()) {
      const auto steps = [&](std::size_t n) { return preset.step * static_cast<Duration::rep>(n); };
      cluster.presets.push_back({.preset = preset.name,
                                 .step = preset.step,
                                 .window = steps(preset.window),
                                 .shift = steps(preset.shift),
                                 .k = preset.k});
    }
  }
  return cluster;
}

}  // namespace limpet
