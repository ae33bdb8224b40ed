#include "diagnoser/config/groups.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "exporter/common/ports.h"

namespace limpet {
namespace {

void AddPorts(const PortRange& range, std::vector<std::uint16_t>& ports) {
  for (std::uint32_t port = range.first; port <= range.last; ++port) {
    ports.push_back(static_cast<std::uint16_t>(port));
  }
}

std::vector<std::uint16_t> KnownPorts() {
  std::vector<std::uint16_t> ports;
  for (const auto& range : kFileSystemPorts) {
    AddPorts(range, ports);
  }
  return ports;
}

void ReadLabels(yaml::MapReader& entry, std::string_view key, bool negate, PeerGroupRule& rule) {
  for (auto& [name, regex] : entry.RegexMap(key)) {
    rule.labels.push_back({.name = name, .regex = regex, .negate = negate});
  }
}

bool AnyKind(const GroupKindRow&) { return true; }
bool ByConnection(const GroupKindRow& row) { return row.by_connection; }
bool PerDevice(const GroupKindRow& row) { return row.per_device; }
bool ByCounters(const GroupKindRow& row) { return !row.by_connection; }

// Of the kinds that a configuration may ask for.
template <class Accepts>
std::vector<std::string> KindsWhere(const Accepts& accepts) {
  std::vector<std::string> names;
  for (const auto& row : kGroupKindRows) {
    if (!row.name.empty() && accepts(row)) {
      names.emplace_back(row.name);
    }
  }
  return names;
}

std::string Joined(const std::vector<std::string>& names, std::string_view between) {
  std::string text;
  for (const auto& name : names) {
    text += text.empty() ? std::string_view() : between;
    text += name;
  }
  return text;
}

PeerGroupRule ReadGroup(yaml::MapReader& entry) {
  PeerGroupRule rule;
  rule.name = entry.Text("name").value_or("");
  const auto names = KindsWhere(AnyKind);
  const auto kind = entry.OneOf("kind", names);
  rule.roles = entry.Texts("roles");
  ReadLabels(entry, "labels", false, rule);
  ReadLabels(entry, "not_labels", true, rule);
  rule.device = entry.Regex("device").value_or("");
  for (const auto& text : entry.Texts("ports")) {
    if (const auto range = ParsePortRange(text)) {
      AddPorts(*range, rule.ports);
    } else {
      entry.Refuse("ports", range.error().message);
    }
  }
  rule.recent = entry.Time("recent", std::chrono::seconds(1)).value_or(Duration::zero());
  rule.per_node = entry.OneOf("per", {"node"}).has_value();
  entry.RefuseUnknown();
  if (rule.name.empty()) {
    entry.Refuse("name", "expected a name");
  }
  if (!kind && !entry.Has("kind")) {
    entry.Refuse("kind", "expected one of " + Joined(names, " "));
  }
  const auto row = std::find_if(kGroupKindRows.begin(), kGroupKindRows.end(),
                                [&](const GroupKindRow& one) { return one.name == kind; });
  rule.kind = row == kGroupKindRows.end() ? GroupKind::kStorage : row->kind;
  const bool by_connection = KindRow(rule.kind).by_connection;
  if (!rule.ports.empty() && !by_connection) {
    entry.Refuse("ports", "only groups of kind " + Joined(KindsWhere(ByConnection), " and ") +
                              " have ports");
  }
  if (rule.recent > Duration::zero() && by_connection) {
    entry.Refuse("recent", "only groups of kind " + Joined(KindsWhere(ByCounters), " and ") +
                               " tell recent components apart");
  }
  if (rule.per_node && !KindRow(rule.kind).per_device) {
    entry.Refuse("per", "only groups of kind " + Joined(KindsWhere(PerDevice), " and ") +
                            " have several components of one node");
  }
  if (rule.ports.empty() && by_connection) {
    rule.ports = KnownPorts();
  }
  return rule;
}

// One of each kind that a configuration may ask for.
std::vector<PeerGroupRule> GroupsOfEveryKind(const std::string& prefix,
                                             const std::vector<std::string>& roles) {
  std::vector<PeerGroupRule> groups;
  for (const auto& row : kGroupKindRows) {
    if (!row.name.empty()) {
      groups.push_back({.name = prefix + std::string(row.suffix),
                        .kind = row.kind,
                        .roles = roles,
                        .ports = row.by_connection ? KnownPorts() : std::vector<std::uint16_t>(),
                        .by_kind = row.per_device});
    }
  }
  return groups;
}

}  // namespace

std::vector<PeerGroupRule> ReadGroups(yaml::MapReader& top) {
  std::vector<PeerGroupRule> groups;
  std::set<std::string> names;
  for (auto& entry : top.Maps("peer_groups")) {
    auto group = ReadGroup(entry);
    std::vector<PeerGroupRule> both = {group};
    // The newcomers are a group beside it from the start, empty most of the time.
    if (group.recent > Duration::zero()) {
      both.push_back(RecentRule(group));
    }
    for (auto& one : both) {
      if (!names.insert(one.name).second) {
        entry.Refuse("name", "the name " + one.name + " is taken by another group");
      }
      groups.push_back(std::move(one));
    }
  }
  return groups;
}

std::vector<PeerGroupRule> DefaultGroups(std::span<const Target> targets) {
  if (!targets.empty()) {
    return DefaultGroupsWith({}, targets);
  }
  // A replay: whatever is recorded.
  return GroupsOfEveryKind("", {});
}

std::vector<PeerGroupRule> RecordedGroups(std::set<std::string> roles) {
  roles.erase("client");
  if (roles.size() < 2) {
    // Trained thresholds name these groups: one role of servers is no reason to rename them.
    return GroupsOfEveryKind("", {roles.begin(), roles.end()});
  }
  std::vector<Target> targets;
  targets.reserve(roles.size());
  for (const auto& role : roles) {
    targets.push_back({.node = {}, .role = role});
  }
  return DefaultGroups(targets);
}

std::vector<PeerGroupRule> DefaultGroupsWith(std::span<const PeerGroupRule> groups,
                                             std::span<const Target> targets) {
  std::set<std::string> roles;
  for (const auto& group : groups) {
    roles.insert(group.roles.begin(), group.roles.end());
  }
  for (const auto& target : targets) {
    if (target.role != "client") {
      roles.insert(target.role);
    }
  }
  std::vector<PeerGroupRule> made;
  for (const auto& role : roles) {
    auto every = GroupsOfEveryKind(role + "-", {role});
    std::move(every.begin(), every.end(), std::back_inserter(made));
  }
  return made;
}

}  // namespace limpet
