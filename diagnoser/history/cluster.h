// cluster.h: who there is for the live page: nodes, peer groups, components.
//
// Threads: values; a Cluster does not change once it is published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/time_scales.h"
#include "diagnoser/view/roster.h"

namespace limpet {

// What is known of a node beside the data: its target.
struct KnownNode {
  std::string role;
  std::map<std::string, std::string> labels;
  std::optional<bool> up;
  bool operator==(const KnownNode&) const = default;
};
using KnownNodes = std::map<std::string, KnownNode>;

struct ClusterNode {
  struct Component {
    std::string component;
    std::string device;     // empty for servers
    std::size_t group = 0;  // its place in Cluster::groups
    bool operator==(const Component&) const = default;
  };
  std::string node;
  std::string role;
  std::map<std::string, std::string> labels;
  std::vector<Component> components;  // by group, then name
  bool operator==(const ClusterNode&) const = default;
};
struct ClusterGroup {
  std::string group;
  GroupKind kind = GroupKind::kStorage;
  std::vector<std::string> roles;  // of its nodes
  bool operator==(const ClusterGroup&) const = default;
};
struct ClusterPreset {
  std::string preset;
  Duration step{};
  Duration window{};
  Duration shift{};
  std::size_t k = 0;
  std::vector<NamingTime> naming;  // of its time scales, too, the soonest first; w1 only
  bool operator==(const ClusterPreset&) const = default;
};

struct Cluster {
  std::uint64_t version = 0;
  std::vector<ClusterNode> nodes;  // by name; frames name them by their place
  std::vector<ClusterGroup> groups;
  std::vector<ClusterPreset> presets;

  // nullopt: there is no such node.
  [[nodiscard]] std::optional<std::size_t> Find(std::string_view node) const;
  // The same but for the version.
  [[nodiscard]] bool SameAs(const Cluster& other) const {
    return nodes == other.nodes && groups == other.groups && presets == other.presets;
  }
};

// Returns how soon `preset` and its time scales name a difference, the soonest first.
[[nodiscard]] std::vector<NamingTime> FindNamingTimes(std::string_view preset,
                                                      const std::vector<PresetSettings>& presets);

// Nodes are those of the roster and those known. The version is left 0.
[[nodiscard]] Cluster MakeCluster(const Roster& roster, const KnownNodes& known,
                                  const std::vector<PresetSettings>& presets);

}  // namespace limpet
