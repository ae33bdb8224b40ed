#include "diagnoser/detect/histogram/histogram.h"

#include <algorithm>
#include <cmath>

#include "diagnoser/detect/pair_degrees.h"
#include "diagnoser/series/stats.h"

namespace limpet {

std::size_t HistogramDetector::MaxBins() const {
  return preset_->bins == BinRule::kSturges ? SturgesBins(preset_->window) : kMaxBins;
}

// Bins divide the range, however small: without a floor the last digit of equal components would
// be as far apart as a fault.
bool HistogramDetector::IsNoise(const WindowSamples& window, const Comparison& comparison) const {
  const double range = comparison.hi - comparison.lo;
  if (Near(comparison.lo, comparison.hi) || range < preset_->NoiseFloor(window.metric->name)) {
    return true;
  }
  const double relative = preset_->noise_floor_relative;
  if (relative <= 0) {
    return false;  // spares the median of all samples
  }
  const auto all = window.samples->All();
  return range < relative * std::abs(Median({all.begin(), all.end()}));
}

std::size_t HistogramDetector::CountBins(const WindowSamples& window, double range) const {
  if (preset_->bins == BinRule::kSturges) {
    return SturgesBins(preset_->window);
  }
  return FreedmanDiaconisBins(range, FindIqr(*window.samples, preset_->iqr), preset_->window,
                              preset_->NoiseFloor(window.metric->name));
}

Comparison HistogramDetector::Compare(const WindowSamples& window,
                                      const BoundWillDo& bound_will_do) const {
  auto result = CompareMeans(*window.samples);
  if (result.undetermined) {
    return result;
  }
  // The range of all: only histograms with the same bins can be compared bin by bin.
  const auto all = window.samples->All();
  const auto [lo, hi] = std::minmax_element(all.begin(), all.end());
  result.lo = *lo;
  result.hi = *hi;
  if (IsNoise(window, result)) {
    result.s.assign(window.samples->size(), 0.0);
    return result;
  }
  result.bins = CountBins(window, result.hi - result.lo);
  const BinRange bins{.lo = result.lo, .hi = result.hi, .count = result.bins};
  // A distance of histograms has one term a bin.
  FillDegrees(*MakePairs(*window.samples, bins), bins.count, bound_will_do, result);
  return result;
}

PeerDistances HistogramDetector::Explain(const WindowSamples& window, const Comparison& comparison,
                                         std::size_t component, double threshold) const {
  if (comparison.undetermined || comparison.bins == 0) {  // nobody is apart from anybody
    return {.to = std::vector<double>(window.samples->size(), 0.0), .far = threshold};
  }
  const BinRange bins{.lo = comparison.lo, .hi = comparison.hi, .count = comparison.bins};
  return {.to = DistancesFrom(component, *window.samples, bins), .far = threshold};
}

TrainingRule HistogramDetector::Training() const {
  const bool sturges = preset_->bins == BinRule::kSturges;
  const bool pooled = preset_->iqr == IqrKind::kPooled;
  TrainingRule rule{.in_tenths = true,
                    .scale = preset_->training_scale,
                    .cap = preset_->training_cap,
                    .deviant_as_group = preset_->training_deviant == TrainingDeviant::kGroup,
                    .largest = LargestDistance(),
                    .skips_noise = true,
                    .pooled_spread = !sturges && pooled,
                    .settings = {{"bins", sturges ? "sturges" : "freedman-diaconis"}}};
  if (!sturges) {
    rule.settings["iqr"] = pooled ? "pooled" : "within";
  }
  return rule;
}

}  // namespace limpet
