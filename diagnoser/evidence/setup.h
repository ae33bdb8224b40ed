// setup.h: what follows from a configuration before the first page: grids, rules, how far to look
// back.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/mapping/rules.h"
#include "diagnoser/series/increase.h"

namespace limpet {

// Returns by preset the number of its grid. A time scale shares that of its preset when their steps
// and gaps are the same: the increases of every counter are kept once a grid.
[[nodiscard]] std::vector<std::size_t> GridNumbers(const PipelineConfig& config);
// Returns by grid the number of the preset it is for, scales that share it left out.
[[nodiscard]] std::vector<std::size_t> GridOwners(const PipelineConfig& config);
[[nodiscard]] std::vector<GridSpec> MakeGrids(const PipelineConfig& config);
// The peer groups, and after them what profiles are made of. The configuration has been checked.
[[nodiscard]] std::vector<Rule> CompileRules(const PipelineConfig& config);
// Those of the directory.
[[nodiscard]] EntityLimits MakeEntityLimits(const PipelineLimits& limits);
// Returns how long after the first reading of all the first window of every preset is full.
[[nodiscard]] Duration FirstWindow(const PipelineConfig& config);
// Returns how many seconds of congestion windows must be kept.
[[nodiscard]] std::size_t CwndSecondsToKeep(const PipelineConfig& config);

}  // namespace limpet
