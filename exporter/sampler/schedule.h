// schedule.h: at which instants samples are taken.
//
// Ticks are the multiples of the interval since 1970, so every node of a cluster samples at the
// same instants and a late tick never moves the ones after it.
// Threads: pure.
#pragma once

#include <cstdint>

#include "exporter/common/time.h"

namespace limpet {

// The first multiple of `interval` (positive) after `now`, also before 1970.
[[nodiscard]] UnixTime NextTick(UnixTime now, Duration interval);

// Returns how many ticks were left out between two samples. `elapsed` is monotonic time, so a clock
// that was set misses nothing by itself. 0 when a sample is early.
[[nodiscard]] std::uint64_t MissedTicks(Duration elapsed, Duration interval);

}  // namespace limpet
