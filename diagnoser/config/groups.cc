#include "diagnoser/config/groups.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "exporter/common/text.h"

namespace limpet {
namespace {

// "2049" or "49152-49251".
bool AddPorts(std::string_view text, std::vector<std::uint16_t>& ports) {
  const auto dash = text.find('-');
  const auto first = ParseU64(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : ParseU64(text.substr(dash + 1));
  if (!first || !last || *first == 0 || *last > 65535 || *first > *last) {
    return false;
  }
  for (auto port = *first; port <= *last; ++port) {
    ports.push_back(static_cast<std::uint16_t>(port));
  }
  return true;
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
    if (!AddPorts(text, rule.ports)) {
      entry.Refuse("ports", "expected ports such as 2049 or 49152-49251, got \"" + text + "\"");
    }
  }
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
  return rule;
}

}  // namespace

std::vector<PeerGroupRule> ReadGroups(yaml::MapReader& top) {
  std::vector<PeerGroupRule> groups;
  std::set<std::string> names;
  for (auto& entry : top.Maps("peer_groups")) {
    groups.push_back(ReadGroup(entry));
    if (!names.insert(groups.back().name).second) {
      entry.Refuse("name", "the name " + groups.back().name + " is taken by another group");
    }
  }
  return groups;
}

std::vector<PeerGroupRule> DefaultGroups(std::span<const Target> targets) {
  std::set<std::string> roles;
  for (const auto& target : targets) {
    if (target.role != "client") {
      roles.insert(target.role);
    }
  }
  std::vector<PeerGroupRule> groups;
  for (const auto& role : roles) {
    groups.push_back({.name = role + "-disks", .kind = GroupKind::kStorage, .roles = {role}});
    groups.push_back({.name = role + "-network", .kind = GroupKind::kNetwork, .roles = {role}});
    groups.push_back({.name = role + "-cwnd", .kind = GroupKind::kCwnd, .roles = {role}});
  }
  return groups;
}

}  // namespace limpet
