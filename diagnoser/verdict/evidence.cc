#include "diagnoser/verdict/evidence.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "diagnoser/detect/far_peers.h"

namespace limpet {
namespace {

constexpr Duration kDay = std::chrono::hours(24);

}  // namespace

ThresholdOrigin OriginOf(const Thresholds* thresholds, std::string_view group,
                         std::string_view metric, std::string_view component) {
  if (thresholds == nullptr || !thresholds->Find(group, metric, component)) {
    return ThresholdOrigin::kDefault;
  }
  const auto& of_metric = thresholds->components.find(group)->second.find(metric)->second;
  return of_metric.contains(component) ? ThresholdOrigin::kTrained : ThresholdOrigin::kGroup;
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

double FarFrom(const Evidence& evidence, const std::optional<double>& z,
               const PresetSettings& preset) {
  if (preset.distance != DistanceKind::kW1) {
    return evidence.threshold;
  }
  // gates.h: degree = min(e / 0.25, z / 3), both proportional to s.
  const double effect = evidence.effect.value_or(0);
  if (!evidence.s || !z || effect <= 0 || *z <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  return evidence.threshold * *evidence.s * std::max(0.25 / effect, 3 / *z);
}

Evidence WithPeers(Evidence evidence, double limit, const SampleSet& samples,
                   const std::vector<std::string>& names, std::size_t self,
                   const PeerComparison& comparison, const PresetSettings& preset) {
  const auto distances = DistancesOf(samples, self, comparison, preset);
  std::size_t far = 0;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (i == self) {
      continue;
    }
    const bool is_far = distances[i] > limit;
    far += is_far ? 1U : 0U;
    auto& named = is_far ? evidence.far_peers : evidence.near_peers;
    if (named.size() < preset.max_named_peers) {
      named.push_back(names[i]);
    }
  }
  evidence.far = far;
  return evidence;
}

Episodes RecordFlagged(Episodes episodes, UnixTime end, std::size_t k, Duration shift) {
  const auto apart = shift * (2 * static_cast<Duration::rep>(k) - 1);
  std::erase_if(episodes.began, [&](UnixTime began) { return began <= end - kDay; });
  if (!episodes.last_flagged || end - *episodes.last_flagged > apart) {
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
