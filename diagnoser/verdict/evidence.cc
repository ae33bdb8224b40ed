#include "diagnoser/verdict/evidence.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace limpet {
namespace {

constexpr Duration kDay = std::chrono::hours(24);

}  // namespace

ThresholdOrigin FindOrigin(const std::optional<MetricThresholds::Limit>& trained) {
  if (!trained) {
    return ThresholdOrigin::kDefault;
  }
  return trained->own ? ThresholdOrigin::kTrained : ThresholdOrigin::kGroup;
}

std::vector<UnixTime> AnomalousEnds(const std::vector<FilterEntry>& recent) {
  std::vector<UnixTime> ends;
  for (const auto& entry : recent) {
    if (entry.anomalous) {
      ends.push_back(entry.end);
    }
  }
  return ends;
}

Evidence WithPeers(Evidence evidence, const PeerDistances& distances,
                   const std::vector<std::string>& names, std::size_t self, std::size_t max_named) {
  std::size_t far = 0;
  for (std::size_t i = 0; i < distances.to.size(); ++i) {
    if (i == self) {
      continue;
    }
    const bool is_far = distances.to[i] > distances.far;
    far += is_far ? 1U : 0U;
    // Components come by name, so these are the first names of each kind.
    auto& named = is_far ? evidence.far_peers : evidence.near_peers;
    if (named.size() < max_named) {
      named.push_back(names[i]);
    }
  }
  evidence.far = far;
  return evidence;
}

Episodes RecordFlagged(Episodes episodes, UnixTime end, std::size_t k, Duration shift) {
  // As long as a flag looks back: two flags closer than that may rest on one odd window.
  const auto apart = shift * (2 * static_cast<Duration::rep>(k) - 1);
  std::erase_if(episodes.began, [&](UnixTime began) { return began <= end - kDay; });
  if (!episodes.last_flagged || end - *episodes.last_flagged > apart) {
    // A component that flaps for days must not grow the state file.
    if (episodes.began.size() == Episodes::kMax) {
      episodes.began.erase(episodes.began.begin());
    }
    episodes.began.push_back(end);
  }
  episodes.last_flagged = end;
  return episodes;
}

std::size_t EpisodesOfDay(const Episodes& episodes, UnixTime end) {
  return static_cast<std::size_t>(
      std::count_if(episodes.began.begin(), episodes.began.end(),
                    [&](UnixTime began) { return began > end - kDay && began <= end; }));
}

}  // namespace limpet
