// instants.h: the instants that readings may have; whatever reads one from text, a file or a clock
// refuses the others.
//
// They end long before 64 bits of nanoseconds do (2262), so that windows, gaps and delays can be
// added to them, and before the end of time of whoever waits for nobody (pipeline/advance.cc).
// Threads: pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "exporter/common/time.h"

namespace limpet {

inline constexpr UnixTime kEarliestInstant = UnixFromSeconds(0);
inline constexpr UnixTime kLatestInstant = UnixFromSeconds(4'102'444'800);  // 1 January 2100

[[nodiscard]] constexpr bool IsInstant(UnixTime at) {
  return at >= kEarliestInstant && at <= kLatestInstant;
}
// Unix seconds; false for what is no number.
[[nodiscard]] constexpr bool IsInstant(double seconds) {
  return seconds >= ToSeconds(kEarliestInstant.time_since_epoch()) &&
         seconds <= ToSeconds(kLatestInstant.time_since_epoch());
}
// Returns the instant that a number of Unix seconds means, to the millisecond; nullopt for what is
// none. Every number of a text or a document becomes a time here.
[[nodiscard]] inline std::optional<UnixTime> InstantFromSeconds(double seconds) {
  return IsInstant(seconds) ? std::optional(UnixFromMilliseconds(std::llround(seconds * 1000)))
                            : std::nullopt;
}
// The nearest instant to what a clock says.
[[nodiscard]] constexpr UnixTime ClampInstant(UnixTime at) {
  return std::clamp(at, kEarliestInstant, kLatestInstant);
}

}  // namespace limpet
