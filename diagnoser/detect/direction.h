// direction.h: on which side of its peers a component is.
//
// Threads: values and a pure function.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limpet {

// The side of a component's mean against the median of all means of its group.
enum class Direction : std::uint8_t { kNone, kLow, kHigh };

[[nodiscard]] constexpr const char* Name(Direction direction) {
  constexpr const char* kNames[] = {"none", "low", "high"};
  return kNames[static_cast<std::size_t>(direction)];
}

// Sign of mean - median, kNone when they are near (series/stats.h).
[[nodiscard]] Direction FindDirection(double mean, double median_of_means);

}  // namespace limpet
