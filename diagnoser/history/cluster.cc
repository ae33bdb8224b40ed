#include "diagnoser/history/cluster.h"

#include <algorithm>
#include <set>
#include <utility>

#include "diagnoser/detect/detectors.h"

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

std::vector<NamingTime> FindNamingTimes(std::string_view preset,
                                        const std::vector<PresetSettings>& presets) {
  std::vector<NamingTime> times;
  for (const auto& one : presets) {
    // Degrees without a natural scale name whatever their thresholds were trained to.
    if ((one.name == preset || one.scale_of.preset == preset) &&
        !MakeDetector(one)->Training().in_tenths) {
      times.push_back(FindNamingTime(one));
    }
  }
  std::ranges::sort(times, {}, &NamingTime::usual);
  return times;
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
                                 .k = preset.k,
                                 .naming = FindNamingTimes(preset.name, presets)});
    }
  }
  return cluster;
}

}  // namespace limpet
