// recent_rise.h: what a counter that is looked at second by second rose by in one of them.
//
// Threads: pure.
#pragma once

#include <chrono>
#include <optional>

#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

// Readings of a counter of segments may be so far apart at any step.
inline constexpr Duration kMaxBetween = std::chrono::seconds(10);

// Returns the rise since a second ago, or since its highest reading of late
// (series/counter_course.h). Connections are read every few seconds where reading them is dear or
// pages are scraped less often, so most seconds may bring nothing and one brings it all. nullopt
// before the second reading, after a fall, and where the two are further apart than `max_between`.
[[nodiscard]] std::optional<double> RiseInSecond(const RecentReadings& counter, UnixTime t,
                                                 Duration max_between);

}  // namespace limpet
