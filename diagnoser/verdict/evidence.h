// evidence.h: what stands behind a flag, beyond its numbers: which peers it is far from, where its
// threshold comes from, which windows were odd, and how often that has been so.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/filter.h"

namespace limpet {

// Returns the origin of a component's threshold; nullopt: its metric is not trained.
[[nodiscard]] ThresholdOrigin FindOrigin(const std::optional<MetricThresholds::Limit>& trained);

// The window ends of the anomalous ones.
[[nodiscard]] std::vector<UnixTime> AnomalousEnds(const std::vector<FilterEntry>& recent);

// Adds the peers: how many are far, and the first `max_named` names of both kinds. `names` and
// `distances` in one order, `self` its place.
[[nodiscard]] Evidence WithPeers(Evidence evidence, const PeerDistances& distances,
                                 const std::vector<std::string>& names, std::size_t self,
                                 std::size_t max_named);

// The times at which a component became flagged, of late: an episode goes on while it is flagged
// again within 2k-1 window times.
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
