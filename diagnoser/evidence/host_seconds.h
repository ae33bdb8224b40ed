// host_seconds.h: second by second, the host metrics of every node of the profiles' rules.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/evidence/profile_plan.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/metrics/host.h"
#include "diagnoser/series/host_readings.h"

namespace limpet {

// The rules that make a Directory take what host metrics are made of.
[[nodiscard]] std::vector<PeerGroupRule> HostRules(const ProfilePlan& plan);

class HostSeconds {
 public:
  // `first_rule`: number of the first of HostRules in the directory.
  explicit HostSeconds(std::uint32_t first_rule) : first_rule_(first_rule) {}

  struct Host {
    std::string_view node;  // good until the directory changes
    HostSample sample;
  };
  // Returns by node those that have been heard of before `t`. `masked` nodes are left out.
  [[nodiscard]] std::vector<Host> At(UnixTime t, const Directory& directory,
                                     const HostReadings& readings,
                                     const std::vector<std::string>& masked);

  // Must be called after a change of what is masked.
  void ForgetMembers() { version_.reset(); }

 private:
  std::uint32_t first_rule_;
  std::optional<std::uint64_t> version_;  // of the directory that entities_ was made from
  std::map<std::string, HostReadings::Entities, std::less<>> entities_;  // by node
};

}  // namespace limpet
