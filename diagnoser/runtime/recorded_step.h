// recorded_step.h: how often recordings were sampled, from the beginning of each.
//
// Threads: one at a time; reads files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

// The median time between two readings of one series. nullopt when no recording tells: without
// timestamps, with a single reading, or where one of them cannot be read twice (a pipe). Looks at
// the first 64 MiB of text of 32 files at most, spread over all: two readings of thousands of
// disks.
[[nodiscard]] std::optional<Duration> FindRecordedStep(const std::vector<std::string>& inputs);

}  // namespace limpet
