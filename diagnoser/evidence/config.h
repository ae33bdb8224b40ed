// config.h: everything a pipeline is made of: presets, peer groups, thresholds, limits.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/custom/metric.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/evidence/profile_plan.h"
#include "diagnoser/evidence/syscall_plan.h"
#include "diagnoser/evidence/timed_masks.h"
#include "diagnoser/intake/limits.h"
#include "diagnoser/mapping/rules.h"
#include "exporter/common/time.h"

namespace limpet {

struct PipelineConfig {
  std::vector<PresetSettings> presets;  // names must differ
  std::vector<PeerGroupRule> groups;    // names must differ
  std::vector<Thresholds> thresholds;   // at most one a preset, by Thresholds::preset
  std::optional<ProfilePlan> profiles;  // of whole nodes, beside the peer groups
  std::vector<CustomMetric> custom;     // the configuration's own; names must differ
  std::optional<SyscallPlan> syscalls;  // of whole nodes as well; absent: their series are not read
  // Address → server, beside what the servers' own sockets say: for cwnd_client
  // and for the peers of system calls.
  std::map<std::string, std::string> addresses;
  // "node" or "node/device": neither judged nor a peer (maintenance); accumulators stay as they
  // are.
  std::vector<std::string> masked;
  // The same of windows that reach into their times.
  std::vector<TimedMask> timed_masks;
  // Events of all presets in one order of time (replay). False (live): each preset as soon as it
  // can, so that a 15 s preset waiting for a dead target does not hold up a 1 s one.
  bool one_order = false;
  PipelineLimits limits;
  bool operator==(const PipelineConfig&) const = default;
};

// What is wrong with a config, one text a problem ("presets.fast.k: expected at least 1, got 0");
// empty when it may be used.
[[nodiscard]] std::vector<std::string> CheckPipelineConfig(const PipelineConfig& config);

}  // namespace limpet
