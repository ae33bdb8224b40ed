#include "diagnoser/detect/peers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "diagnoser/detect/all_pairs.h"
#include "diagnoser/detect/bins.h"
#include "diagnoser/detect/cdf_pairs.h"
#include "diagnoser/detect/degree.h"
#include "diagnoser/detect/distance.h"
#include "diagnoser/detect/plain_pairs.h"
#include "diagnoser/detect/pruning.h"
#include "diagnoser/detect/scatter.h"
#include "diagnoser/detect/sorted_samples.h"
#include "diagnoser/detect/stats.h"
#include "diagnoser/detect/wasserstein_pairs.h"

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

// `terms`: how many numbers a distance is the sum of.
void FillDegrees(Pairs& pairs, std::size_t terms, const BoundWillDo& bound_will_do,
                 PeerComparison& result) {
  const std::size_t n = pairs.Size();
  auto to_pivot = bound_will_do ? pairs.ToPivot() : std::vector<double>();
  if (to_pivot.empty()) {
    result.s = pairs.AllDegrees();
    return;
  }
  result.s = UpperBounds(std::move(to_pivot), terms);
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < n; ++i) {
    if (!bound_will_do(result, i)) {
      wanted.push_back(i);
    }
  }
  if (2 * wanted.size() > n) {
    result.s = pairs.AllDegrees();
    return;
  }
  const auto exact = DegreesOf(pairs, wanted);
  result.is_bound.assign(n, true);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    result.s[wanted[i]] = exact[i];
    result.is_bound[wanted[i]] = false;
  }
}

// Rows made by `row_of` from each component's histogram.
template <class RowOf>
std::vector<double> RowsOf(const SampleSet& samples, const BinRange& bins, const RowOf& row_of) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto row = row_of(CountInBins(samples.Of(i), bins));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

std::unique_ptr<Pairs> HistogramPairs(const SampleSet& samples, const BinRange& bins,
                                      DistanceKind distance) {
  if (distance == DistanceKind::kKl) {
    auto rows = RowsOf(samples, bins, [](const std::vector<double>& counts) {
      return KlRow(KlHistogram(counts));
    });
    return std::make_unique<PlainPairs>(PlainPairs::Kind::kDivergence, std::move(rows),
                                        2 * bins.count);
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples.Of(i).size() > CdfPairs::kMaxSamples) {
      return std::make_unique<PlainPairs>(PlainPairs::Kind::kAbsolute,
                                          RowsOf(samples, bins, CumulativeOf), bins.count);
    }
  }
  return std::make_unique<CdfPairs>(samples, bins);
}

void CompareByHistogram(const SampleSet& samples, std::string_view metric,
                        const PresetSettings& preset, const BoundWillDo& bound_will_do,
                        PeerComparison& result) {
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
  const auto pairs = HistogramPairs(samples, bins, preset.distance);
  FillDegrees(*pairs, bins.count, bound_will_do, result);
}

void CompareExactly(const SampleSet& samples, const PresetSettings& preset,
                    const BoundWillDo& bound_will_do, PeerComparison& result) {
  const auto sorted = SortedSamples(samples);
  std::vector<double> iqr;
  iqr.reserve(samples.size());
  std::size_t most = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto own = sorted.Of(i);
    iqr.push_back(IqrOfSorted(own));
    most = std::max(most, own.size());
  }
  result.median_iqr = Median(std::move(iqr));
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto own = sorted.Of(i);
    if (!own.empty()) {
      result.lo = std::min(result.lo, own.front());
      result.hi = std::max(result.hi, own.back());
    }
  }
  if (preset.scatter == Scatter::kResiduals) {
    result.median_iqr = ResidualIqr(samples, preset.window).value_or(result.median_iqr);
  }
  WassersteinPairs pairs(sorted);
  FillDegrees(pairs, 2 * most, bound_will_do, result);
}

}  // namespace

PeerComparison ComparePeers(const SampleSet& samples, std::string_view metric,
                            const PresetSettings& preset, const BoundWillDo& bound_will_do) {
  PeerComparison result;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    result.mean.push_back(Mean(samples.Of(i)));
  }
  if (samples.size() < kMinPeers) {
    return result;
  }
  result.undetermined = false;
  result.median_mean = Median(result.mean);
  for (const double mean : result.mean) {
    result.direction.push_back(DirectionOf(mean, result.median_mean));
  }
  const auto all = samples.All();
  result.lo = all.front();
  result.hi = all.front();
  if (preset.distance == DistanceKind::kW1) {
    CompareExactly(samples, preset, bound_will_do, result);
  } else {
    const auto [lo, hi] = std::minmax_element(all.begin(), all.end());
    result.lo = *lo;
    result.hi = *hi;
    CompareByHistogram(samples, metric, preset, bound_will_do, result);
  }
  return result;
}

}  // namespace limpet
