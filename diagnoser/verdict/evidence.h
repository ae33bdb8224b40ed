// evidence.h: what stands behind a flag, beyond its numbers: which peers it is far from, where its
// threshold comes from, which windows were odd, and how often that has been so.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "diagnoser/detect/peers.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/series/sample_set.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/filter.h"

namespace limpet {

// `group` as thresholds name it; null thresholds: nothing is trained.
[[nodiscard]] ThresholdOrigin OriginOf(const Thresholds* thresholds, std::string_view group,
                                       std::string_view metric, std::string_view component);

// The window ends of the anomalous ones.
[[nodiscard]] std::vector<UnixTime> AnomalousEnds(const std::vector<FilterEntry>& recent);

// The distance from which on a component at this distance alone would be anomalous: T itself, or
// with w1 what gives its gated degree T (s, effect and z grow together). Infinite when no distance
// would.
[[nodiscard]] double FarFrom(const Evidence& evidence, const std::optional<double>& z,
                             const PresetSettings& preset);

// Adds the peers: how many, from how many it is farther than `limit`, and the first names of both
// kinds. `names` and `samples` in one order, `self` its place.
[[nodiscard]] Evidence WithPeers(Evidence evidence, double limit, const SampleSet& samples,
                                 const std::vector<std::string>& names, std::size_t self,
                                 const PeerComparison& comparison, const PresetSettings& preset);

// When a component became flagged, of late: an episode goes on while it is flagged again within
// 2k-1 window times.
struct Episodes {
  static constexpr std::size_t kMax = 64;
  std::vector<UnixTime> began;  // oldest first; of the last day, at most kMax
  std::optional<UnixTime> last_flagged;
  bool operator==(const Episodes&) const = default;
};
[[nodiscard]] Episodes RecordFlagged(Episodes episodes, UnixTime end, std::size_t k,
                                     Duration shift);
// Those that began in the day up to `end`.
[[nodiscard]] std::size_t EpisodesOfDay(const Episodes& episodes, UnixTime end);

}  // namespace limpet
