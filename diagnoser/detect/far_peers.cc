#include "diagnoser/detect/far_peers.h"

#include <span>

#include "diagnoser/detect/bins.h"
#include "diagnoser/detect/distance.h"
#include "diagnoser/detect/sorted_samples.h"

namespace limpet {
std::vector<double> DistancesOf(const SampleSet& samples, std::size_t component,
                                const PeerComparison& comparison, const PresetSettings& preset) {
  std::vector<double> distances(samples.size(), 0.0);
  if (comparison.undetermined) {
    return distances;
  }
  const auto fill = [&](const auto& distance_to) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (i != component) {
        distances[i] = distance_to(samples.Of(i));
      }
    }
  };
  if (preset.distance == DistanceKind::kW1) {
    const auto sorted = SortedSamples(samples);
    const auto own = sorted.Of(component);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      distances[i] = WassersteinOfSorted(own, sorted.Of(i));
    }
  } else if (comparison.bins > 0) {  // else all distances are 0
    const BinRange bins{.lo = comparison.lo, .hi = comparison.hi, .count = comparison.bins};
    const auto counts = CountInBins(samples.Of(component), bins);
    if (preset.distance == DistanceKind::kKl) {
      const KlHistogram own(counts);
      fill([&](std::span<const double> other) {
        return KlDistance(own, KlHistogram(CountInBins(other, bins)));
      });
    } else {
      const auto own = CumulativeOf(counts);
      fill([&](std::span<const double> other) {
        return CdfDistance(own, CumulativeOf(CountInBins(other, bins)));
      });
    }
  }
  return distances;
}

}  // namespace limpet
