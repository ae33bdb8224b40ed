#include "diagnoser/detect/wasserstein/scatter.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "diagnoser/detect/kernels/sort_kernels.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kMinComponents = 3;

// Of a column that is in order.
double ColumnQuantile(std::span<const PanelRow<double>> rows, std::size_t column, double p) {
  const auto place = PlaceOfQuantile(rows.size(), p);
  return place.Between(rows[place.low].lanes[column], rows[place.high].lanes[column]);
}

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
  std::vector<double> iqrs(whole.size());
  std::vector<PanelRow<double>> residuals(window);
  for (std::size_t first = 0; first < whole.size(); first += kPanelWidth) {
    const auto columns = std::min(kPanelWidth, whole.size() - first);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t t = 0; t < window; ++t) {
        residuals[t].lanes[c] = whole[first + c][t] - common[t];
      }
    }
    SortColumns(residuals, columns);
    for (std::size_t c = 0; c < columns; ++c) {
      iqrs[first + c] = ColumnQuantile(residuals, c, 0.75) - ColumnQuantile(residuals, c, 0.25);
    }
  }
  return Median(std::move(iqrs));
}

}  // namespace limpet
