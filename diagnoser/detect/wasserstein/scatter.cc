#include "diagnoser/detect/wasserstein/scatter.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "diagnoser/detect/kernels/sort_kernels.h"
#include "diagnoser/detect/kernels/sorted_samples.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kMinComponents = 3;

// median_j x_j(t) for each t.
std::vector<double> MediansByTime(const std::vector<std::span<const double>>& whole,
                                  std::size_t window) {
  const auto count = whole.size();
  std::vector<double> by_time(window * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t t = 0; t < window; ++t) {
      by_time[t * count + i] = whole[i][t];
    }
  }
  std::vector<double> medians(window);
  // Of more than are sorted side by side, a median is found sooner than all are sorted.
  if (count > kLongestSortedColumn) {
    for (std::size_t t = 0; t < window; ++t) {
      const auto begin = by_time.begin() + static_cast<std::ptrdiff_t>(t * count);
      medians[t] = Median({begin, begin + static_cast<std::ptrdiff_t>(count)});
    }
    return medians;
  }
  const auto sorted = SortedSamples({std::move(by_time), window, count});
  for (std::size_t t = 0; t < window; ++t) {
    medians[t] = SortedMedian(sorted.Of(t));
  }
  return medians;
}

}  // namespace

std::optional<double> ResidualIqr(const SampleSet& samples, std::size_t window) {
  std::vector<std::span<const double>> whole;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    // With a hole, places are not times any more.
    if (samples.Of(i).size() == window) {
      whole.push_back(samples.Of(i));
    }
  }
  if (whole.size() < kMinComponents) {
    return std::nullopt;
  }
  const auto common = MediansByTime(whole, window);
  SampleSet residuals;
  residuals.Reserve(whole.size(), window);
  std::vector<double> left(window);
  for (const auto own : whole) {
    std::transform(own.begin(), own.end(), common.begin(), left.begin(),
                   [](double x, double median) { return x - median; });
    (void)residuals.Add(left);
  }
  const auto sorted = SortedSamples(std::move(residuals));
  std::vector<double> iqrs(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    iqrs[i] = SortedIqr(sorted.Of(i));
  }
  return Median(std::move(iqrs));
}

}  // namespace limpet
