// time_range.h: --from and --to of commands that read recordings.
//
// Threads: pure.
#pragma once

#include <string>

#include "diagnoser/sources/recording_slice.h"
#include "exporter/common/result.h"

namespace limpet {

// Instants as people and programs write them: 2026-01-31T10:00:00Z or Unix seconds; empty: from the
// first reading, up to the last.
[[nodiscard]] Result<TimeRange> ParseTimeRange(const std::string& from, const std::string& to);

}  // namespace limpet
