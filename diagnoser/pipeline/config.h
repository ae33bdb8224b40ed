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
#include "diagnoser/mapping/rules.h"
#include "diagnoser/pipeline/profile_plan.h"
#include "diagnoser/pipeline/syscall_plan.h"
#include "diagnoser/pipeline/timed_masks.h"
#include "exporter/common/time.h"

namespace limpet {

struct PipelineLimits {
  std::size_t max_series = 4'000'000;    // over all sources; further ones are counted, not kept
  std::size_t max_components = 400'000;  // disks, interfaces and sockets together, and further
  std::size_t reserved_components = 200'000;  // ones in equal parts for the nodes with fewer
  // Of one node or target, so that a broken one costs the others nothing (mapping/directory.h).
  std::size_t max_components_per_node = 8'000;
  std::size_t max_devices_per_node = 2'000;
  // Of the page of one target. A page with more lines is refused; of further series it has over
  // time, known ones apart, nothing is read.
  std::size_t max_page_lines = 250'000;
  std::size_t max_source_bytes = std::size_t{32} << 20U;  // of the texts of its lines
  Duration future = std::chrono::seconds(40);  // a reading this far beyond the watermark is refused
  // Of the counters, in an exported state (8 bytes each): 10,000 disks at one preset of 64 samples.
  std::size_t max_state_bins = 8'000'000;
  bool operator==(const PipelineLimits&) const = default;
};

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
