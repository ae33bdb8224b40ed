#include "exporter/sampler/schedule.h"

#include <chrono>

namespace limpet {

UnixTime NextTick(UnixTime now, Duration interval) {
  // Multiples of the interval since 1970, so that all nodes sample at the same instants. Before
  // 1970 the remainder is negative.
  const auto into = now.time_since_epoch() % interval;
  return now + interval - (into < Duration::zero() ? into + interval : into);
}

std::uint64_t MissedTicks(Duration elapsed, Duration interval) {
  // Half an interval late or early is still the same tick.
  const auto passed = (elapsed + interval / 2) / interval;
  return passed <= 1 ? 0 : static_cast<std::uint64_t>(passed - 1);
}

}  // namespace limpet
