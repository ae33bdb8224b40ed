// migrate.h: a state that was made under one configuration, carried over to another.
//
// Filters, accumulators and data mean something only under the settings they came from. What the
// new configuration still has, with the same settings (fingerprint.h), is kept; everything else is
// ignored and said so. A restart migrates what the state file holds, a reload what the pipeline has
// just exported.
// Threads: pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/pipeline/state.h"

namespace limpet {

// Fingerprints of the settings that a state was made under.
struct StateOrigin {
  using PresetAndGroup = std::pair<std::string, std::string>;
  std::map<std::string, std::uint64_t> presets;    // by name
  std::map<PresetAndGroup, std::uint64_t> groups;  // of the preset and the group's rule
  std::map<std::string, std::uint64_t> cwnd;       // by group; of its rule alone
  std::optional<std::uint64_t> model;              // of the behaviour profiles
  // The presets whose columns PipelineState::entities have, in order, with their fingerprints.
  std::vector<std::pair<std::string, std::uint64_t>> columns;
};

// Describes the origin of what this configuration makes.
[[nodiscard]] StateOrigin DescribeOrigin(const PipelineConfig& config);

struct StoredState {
  PipelineState state;
  StateOrigin origin;
};

struct MigratedState {
  PipelineState state;
  std::vector<std::string> ignored;  // one text a part, for the operator: which, and why
};

[[nodiscard]] MigratedState Migrate(StoredState saved, const PipelineConfig& config);

}  // namespace limpet
