// profile_findings.h: the nodes that their profile indicts as verdicts, with what differs most from
// their peers: "user CPU 70 % against 12 %".
//
// Difference: of ln(mean + 1), in standard deviations of training, from the median of the peers; at
//             most 1000, for what hardly varied in training.
// Evidence:   the distance to most peers, then at most three metrics: the one that differs most and
//             those beside it that differ by a standard deviation at least.
// Threads: pure.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/evidence/profile_plan.h"
#include "diagnoser/metrics/host.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/view/profile_status.h"

namespace limpet {

struct NodeAverage {
  std::string_view node;
  HostSample average;  // over about the last 20 s
};

// Returns verdicts of cause kBehaviour, without preset, end and rank. `averages`: of all nodes.
[[nodiscard]] std::vector<VerdictEvent> ProfileFindings(const ProfileModel& model,
                                                        const ProfileStatus& status,
                                                        std::span<const NodeAverage> averages);

}  // namespace limpet
