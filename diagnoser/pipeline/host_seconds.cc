#include "diagnoser/pipeline/host_seconds.h"

#include <algorithm>

namespace limpet {

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
  if (version_ != directory.Version()) {
    version_ = directory.Version();
    entities_.clear();
    const auto take = [&](EntityKind kind, std::uint32_t rule, auto member) {
      const auto entities = directory.Entities(kind);
      for (std::uint32_t i = 0; i < entities.size(); ++i) {
        const auto& entity = entities[i];
        const bool mine =
            std::find(entity.groups.begin(), entity.groups.end(), rule) != entity.groups.end();
        if (mine && std::find(masked.begin(), masked.end(), entity.node) == masked.end()) {
          (entities_[entity.node].*member).push_back(i);
        }
      }
    };
    take(EntityKind::kHost, first_rule_, &HostReadings::Entities::hosts);
    take(EntityKind::kDisk, first_rule_, &HostReadings::Entities::disks);
    take(EntityKind::kInterface, first_rule_ + 1, &HostReadings::Entities::interfaces);
  }
  std::vector<Host> hosts;
  for (const auto& [node, entities] : entities_) {
    if (readings.Knows(entities, t)) {
      hosts.push_back({.node = node, .sample = readings.SampleOf(entities, t)});
    }
  }
  return hosts;
}

}  // namespace limpet
