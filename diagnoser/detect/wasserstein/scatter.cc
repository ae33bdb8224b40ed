#include "diagnoser/detect/wasserstein/scatter.h"

#include <algorithm>
#include <array>
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
  std::vector<double> medians(window);
  // Of more than are sorted side by side, a median is found sooner than all are sorted.
  if (count > kLongestSortedColumn) {
    std::vector<double> now(count);
    for (std::size_t t = 0; t < window; ++t) {
      std::ranges::transform(whole, now.begin(), [t](const auto own) { return own[t]; });
      medians[t] = Median(now);
    }
    return medians;
  }
  std::vector<PanelRow<double>> rows(count);
  for (std::size_t first = 0; first < window; first += kPanelWidth) {
    const auto columns = std::min(kPanelWidth, window - first);
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::copy(whole[i].subspan(first, columns), rows[i].lanes);
    }
    SortColumns(rows, columns);
    for (std::size_t c = 0; c < columns; ++c) {
      const std::array<double, 2> middle = {rows[(count - 1) / 2].lanes[c],
                                            rows[count / 2].lanes[c]};
      medians[first + c] = SortedMedian(std::span(middle).last(count % 2 == 1 ? 1 : 2));
    }
  }
  return medians;
}

}  // namespace

std::optional<double> ResidualIqr(const SampleSet& samples, std::size_t window) {
  std::vector<std::span<const double>> whole;
  whole.reserve(samples.size());
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
