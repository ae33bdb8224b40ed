#include "diagnoser/detect/far_peers.h"

#include <algorithm>
#include <optional>
#include <span>

#include "diagnoser/detect/bins.h"
#include "diagnoser/detect/distance.h"

namespace limpet {
namespace {

std::vector<double> Sorted(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

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
    const auto own = Sorted(samples.Of(component));
    fill([&](std::span<const double> other) { return WassersteinOfSorted(own, Sorted(other)); });
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
