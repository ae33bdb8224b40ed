// counter_course.h: what a reading of a counter says beside those before it.
//
// A counter goes on from its highest reading. One below it is doubted: an old page came late, or
// somebody else answered. What returns has not restarted, and rose by what it is above the highest;
// what stays below for kDoubt has begun anew, and nobody knows by how much it rose meanwhile
// (docs/decisions/0132). Every store of counters keeps to this; increase.h puts it on grids.
// Threads: a value.
#pragma once

#include <chrono>
#include <optional>

#include "exporter/common/time.h"

namespace limpet {

// So long readings below the highest one are taken for old ones that came late.
inline constexpr Duration kDoubt = std::chrono::seconds(5);

// Returns whether a counter whose readings have been lower since `since` has begun anew by `at`.
[[nodiscard]] constexpr bool HasBegunAnew(UnixTime since, UnixTime at) {
  return at - since >= kDoubt;
}

class CounterCourse {
 public:
  // The increase since the reading before; nullopt: it is the first one, is doubted or began anew.
  // Instants must rise.
  std::optional<double> Add(UnixTime at, double value) {
    if (highest_ && value >= *highest_) {
      const double increase = value - *highest_;
      highest_ = value;
      low_since_.reset();
      return increase;
    }
    if (highest_ && !(low_since_ && HasBegunAnew(*low_since_, at))) {
      low_since_ = low_since_.value_or(at);
      return std::nullopt;
    }
    highest_ = value;
    low_since_.reset();
    return std::nullopt;
  }

 private:
  std::optional<double> highest_;
  std::optional<UnixTime> low_since_;
};

}  // namespace limpet
