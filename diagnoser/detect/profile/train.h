// train.h: from fault-free seconds of many hosts to a profile model [Pan08 Figure 6].
//
// Normalisation: sigma, the population standard deviation of ln(sample + 1) over all seconds. A
//                metric that is constant (sigma at most 1e-9 of its largest ln(sample + 1)) tells
//                nothing and is dropped; so is one that most seconds do not have.
// Threshold:     the smallest multiple of 0.01 at which no host of the same runs would have been
//                indicted, plus 0.05.
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/detect/profile/alarm.h"
#include "diagnoser/detect/profile/model.h"
#include "exporter/common/result.h"

namespace limpet {

// Hosts that worked side by side, second by second: one recording of one cluster.
struct HostRun {
  std::vector<std::string> hosts;
  // Seconds by host; all of the same length, missing samples filled in as far as they can be.
  std::vector<std::vector<HostSample>> seconds;
};

struct ProfileTraining {
  std::size_t profiles = 6;
  std::uint64_t seed = 1;
  std::size_t starts = 5;
  AlarmRule rule = AlarmRule::kConsecutive;
  std::vector<HostMetric> metrics;  // those to learn from; empty: all
};

struct TrainedProfiles {
  ProfileModel model;
  // Notes for people: what was dropped and why, how many seconds, log-likelihood, rounds,
  // threshold.
  std::vector<std::string> notes;
};

// An error when there are too few seconds: 10 a profile, with all metrics that are kept.
[[nodiscard]] Result<TrainedProfiles> TrainProfiles(const std::vector<HostRun>& runs,
                                                    const ProfileTraining& options = {});

// The threshold of a model, from 0.05 to 1.
[[nodiscard]] double TrainThreshold(const ProfileModel& model, const std::vector<HostRun>& runs,
                                    AlarmRule rule);

}  // namespace limpet
