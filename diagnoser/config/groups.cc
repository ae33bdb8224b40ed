#include "diagnoser/config/groups.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

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

PeerGroupRule ReadGroup(yaml::MapReader& entry) {
  PeerGroupRule rule;
  rule.name = entry.Text("name").value_or("");
  const auto kind = entry.OneOf("kind", {"storage", "network", "cwnd"});
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
  entry.RefuseUnknown();
  if (rule.name.empty()) {
    entry.Refuse("name", "expected a name");
  }
  if (!kind && !entry.Has("kind")) {
    entry.Refuse("kind", "expected one of storage network cwnd");
  }
  rule.kind = kind == "network" ? GroupKind::kNetwork
              : kind == "cwnd"  ? GroupKind::kCwnd
                                : GroupKind::kStorage;
  if (!rule.ports.empty() && rule.kind != GroupKind::kCwnd) {
    entry.Refuse("ports", "only groups of kind cwnd have ports");
  }
  if (rule.recent > Duration::zero() && rule.kind == GroupKind::kCwnd) {
    entry.Refuse("recent", "only groups of kind storage and network tell recent components apart");
  }
  if (rule.ports.empty() && rule.kind == GroupKind::kCwnd) {
    rule.ports = KnownPorts();
  }
  return rule;
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
      both.push_back(RecentOf(group));
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
  return {{.name = "disks", .kind = GroupKind::kStorage},
          {.name = "network", .kind = GroupKind::kNetwork},
          {.name = "cwnd", .kind = GroupKind::kCwnd, .ports = KnownPorts()}};
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
    // All three, whatever is there: a group without members costs nothing and says nothing.
    made.push_back({.name = role + "-disks", .kind = GroupKind::kStorage, .roles = {role}});
    made.push_back({.name = role + "-network", .kind = GroupKind::kNetwork, .roles = {role}});
    made.push_back(
        {.name = role + "-cwnd", .kind = GroupKind::kCwnd, .roles = {role}, .ports = KnownPorts()});
  }
  return made;
}

}  // namespace limpet
