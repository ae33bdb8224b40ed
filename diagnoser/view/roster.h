// roster.h: who is in which peer group, by name: what the live page draws.
//
// Threads: values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "diagnoser/metrics/catalog.h"

namespace limpet {

struct RosterComponent {
  std::string component;  // "node/device", or "node"
  std::string node;
  std::string device;  // empty for servers
  bool operator==(const RosterComponent&) const = default;
};
struct RosterGroup {
  std::string group;
  GroupKind kind = GroupKind::kStorage;
  std::vector<RosterComponent> components;  // by name
  bool operator==(const RosterGroup&) const = default;
};
struct RosterNode {
  std::string role;
  std::map<std::string, std::string> labels;  // of its source, as far as a rule asks for them
  bool operator==(const RosterNode&) const = default;
};
struct Roster {
  std::vector<RosterGroup> groups;  // in the order of the configuration
  std::map<std::string, RosterNode> nodes;
  bool operator==(const Roster&) const = default;
};

}  // namespace limpet
