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
    things_.clear();
    const auto take = [&](ThingKind kind, std::uint32_t rule, auto member) {
      const auto things = directory.Things(kind);
      for (std::uint32_t i = 0; i < things.size(); ++i) {
        const auto& thing = things[i];
        const bool mine =
            std::find(thing.groups.begin(), thing.groups.end(), rule) != thing.groups.end();
        if (mine && std::find(masked.begin(), masked.end(), thing.node) == masked.end()) {
          (things_[thing.node].*member).push_back(i);
        }
      }
    };
    take(ThingKind::kHost, first_rule_, &HostReadings::Things::hosts);
    take(ThingKind::kDisk, first_rule_, &HostReadings::Things::disks);
    take(ThingKind::kInterface, first_rule_ + 1, &HostReadings::Things::interfaces);
  }
  std::vector<Host> hosts;
  for (const auto& [node, things] : things_) {
    if (readings.Knows(things, t)) {
      hosts.push_back({.node = node, .sample = readings.SampleOf(things, t)});
    }
  }
  return hosts;
}

}  // namespace limpet
