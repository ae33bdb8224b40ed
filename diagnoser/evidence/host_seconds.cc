#include "diagnoser/evidence/host_seconds.h"

#include <algorithm>

#include "diagnoser/mapping/members.h"

namespace limpet {
namespace {

constexpr std::uint32_t kHostRules = 2;  // HostRules makes so many

}  // namespace

std::vector<PeerGroupRule> HostRules(const ProfilePlan& plan) {
  return {
      {.name = "profiles", .kind = GroupKind::kHosts, .roles = plan.roles, .device = plan.disks},
      {.name = "profiles, interfaces",
       .kind = GroupKind::kHostInterfaces,
       .roles = plan.roles,
       .device = plan.interfaces}};
}

std::vector<HostSeconds::Host> HostSeconds::At(UnixTime t, const Directory& directory,
                                               const HostReadings& readings,
                                               const std::vector<std::string>& masked) {
  // Only after a change: each second would otherwise visit every entity of the fleet.
  if (version_ != directory.Version()) {
    version_ = directory.Version();
    entities_.clear();
    for (const auto& row : DirectoryKinds()) {
      const auto entities = directory.Entities(row.kind);
      for (std::uint32_t i = 0; i < entities.size(); ++i) {
        const auto& entity = entities[i];
        const bool mine =
            std::any_of(entity.groups.begin(), entity.groups.end(), [&](std::uint32_t rule) {
              return rule >= first_rule_ && rule < first_rule_ + kHostRules;
            });
        if (mine && std::find(masked.begin(), masked.end(), entity.node) == masked.end()) {
          entities_[entity.node][Index(row.kind)].push_back(i);
        }
      }
    }
    for (auto& [node, entities] : entities_) {
      for (const auto& row : DirectoryKinds()) {
        if (HasCounters(row.kind)) {
          auto& its = entities[Index(row.kind)];
          its = FindCounted(directory, row.kind, its);
        }
      }
    }
  }
  std::vector<Host> hosts;
  for (const auto& [node, entities] : entities_) {
    if (readings.Knows(entities, t)) {
      hosts.push_back({.node = node, .sample = readings.SampleAt(entities, t)});
    }
  }
  return hosts;
}

}  // namespace limpet
