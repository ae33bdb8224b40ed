// profiles.h: the section `profiles` of the configuration file.
//
// Threads: pure, but for the model file it reads through `read_file`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/config/targets.h"
#include "diagnoser/evidence/profile_plan.h"

namespace limpet {

struct ProfileSettings {
  ProfilePlan plan;                 // without its model when `model` has not been read
  std::string model;                // file; empty: no behaviour profiles
  std::vector<HostMetric> metrics;  // for training; empty: all
  std::optional<bool> wait;         // absent: a replay waits, a live diagnosis does not
  std::optional<bool> events;       // absent: a replay writes them, a live diagnosis does not
};

// Problems are added to those of `top`. `read_model` false: the file need not be there (training).
[[nodiscard]] ProfileSettings ReadProfiles(yaml::MapReader& top, std::span<const Target> targets,
                                           bool read_model, const ReadTextFile& read_file);

}  // namespace limpet
