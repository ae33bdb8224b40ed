// plan.h: what follows from the settings and from who the targets are: the peer groups there are,
// this shard's part of everything, how long to wait for late readings, the pipeline's
// configuration.
//
//   auto plan = MakePlan(settings, targets);
//   plan = MakePlan(settings, more_targets, plan.all_groups);   // a list has changed
//
// Threads: pure.
#pragma once

#include <span>
#include <vector>

#include "diagnoser/config/settings.h"
#include "diagnoser/evidence/config.h"
#include "diagnoser/mapping/rules.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/time.h"

namespace limpet {

struct DiagnosisPlan {
  std::vector<Target> targets;            // that this shard scrapes
  std::vector<PeerGroupRule> all_groups;  // of all shards
  PipelineConfig pipeline;                // its groups are those of this shard
  // The time that readings may take to reach us: a window is closed without those that take longer.
  Duration lateness{};
};

// `known` are groups of an earlier plan of the same settings. Groups that are made of roles come
// with the roles and never go: a role whose servers are all gone for a while keeps its groups.
[[nodiscard]] DiagnosisPlan MakePlan(const DiagnoserSettings& settings, std::vector<Target> targets,
                                     std::span<const PeerGroupRule> known = {});

}  // namespace limpet
