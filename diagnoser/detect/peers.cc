#include "diagnoser/detect/peers.h"

#include <algorithm>
#include <cmath>

#include "diagnoser/detect/bins.h"
#include "diagnoser/detect/degree.h"
#include "diagnoser/detect/distance.h"
#include "diagnoser/detect/scatter.h"
#include "diagnoser/detect/stats.h"

namespace limpet {
namespace {

bool UnderNoiseFloor(const SampleSet& samples, double range, double absolute, double relative) {
  if (range < absolute) {
    return true;
  }
  if (relative <= 0) {
    return false;
  }
  const auto all = samples.All();
  return range < relative * std::abs(Median({all.begin(), all.end()}));
}

std::vector<double> KlDegrees(const SampleSet& samples, const BinRange& bins) {
  std::vector<KlHistogram> histograms;
  histograms.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    histograms.emplace_back(CountInBins(samples.Of(i), bins));
  }
  return DegreesOf(samples.size(), [&](std::size_t i, std::size_t j) {
    return KlDistance(histograms[i], histograms[j]);
  });
}

std::vector<double> CdfDegrees(const SampleSet& samples, const BinRange& bins) {
  std::vector<std::vector<double>> cumulative;
  cumulative.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    cumulative.push_back(CumulativeOf(CountInBins(samples.Of(i), bins)));
  }
  return DegreesOf(samples.size(), [&](std::size_t i, std::size_t j) {
    return CdfDistance(cumulative[i], cumulative[j]);
  });
}

void CompareByHistogram(const SampleSet& samples, std::string_view metric,
                        const PresetSettings& preset, PeerComparison& result) {
  const double range = result.hi - result.lo;
  const double floor = preset.NoiseFloor(metric);
  if (Near(result.lo, result.hi) ||
      UnderNoiseFloor(samples, range, floor, preset.noise_floor_relative)) {
    result.s.assign(samples.size(), 0.0);
    return;
  }
  result.bins =
      preset.bins == BinRule::kSturges
          ? SturgesBins(preset.window)
          : FreedmanDiaconisBins(range, SpreadOf(samples, preset.iqr), preset.window, floor);
  const BinRange bins{.lo = result.lo, .hi = result.hi, .count = result.bins};
  result.s =
      preset.distance == DistanceKind::kKl ? KlDegrees(samples, bins) : CdfDegrees(samples, bins);
}

void CompareExactly(const SampleSet& samples, const PresetSettings& preset,
                    PeerComparison& result) {
  SampleSet sorted;
  std::vector<double> iqr;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto own = samples.Of(i);
    std::vector<double> ascending(own.begin(), own.end());
    std::sort(ascending.begin(), ascending.end());
    iqr.push_back(IqrOfSorted(ascending));
    sorted.Add(ascending);
  }
  result.median_iqr = Median(std::move(iqr));
  if (preset.scatter == Scatter::kResiduals) {
    result.median_iqr = ResidualIqr(samples, preset.window).value_or(result.median_iqr);
  }
  result.s = DegreesOf(samples.size(), [&](std::size_t i, std::size_t j) {
    return WassersteinOfSorted(sorted.Of(i), sorted.Of(j));
  });
}

}  // namespace

PeerComparison ComparePeers(const SampleSet& samples, std::string_view metric,
                            const PresetSettings& preset) {
  PeerComparison result;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    result.mean.push_back(Mean(samples.Of(i)));
  }
  if (samples.size() < kLeastPeers) {
    return result;
  }
  result.undetermined = false;
  result.median_mean = Median(result.mean);
  for (const double mean : result.mean) {
    result.direction.push_back(DirectionOf(mean, result.median_mean));
  }
  const auto all = samples.All();
  const auto [lo, hi] = std::minmax_element(all.begin(), all.end());
  result.lo = *lo;
  result.hi = *hi;
  if (preset.distance == DistanceKind::kW1) {
    CompareExactly(samples, preset, result);
  } else {
    CompareByHistogram(samples, metric, preset, result);
  }
  return result;
}

}  // namespace limpet
