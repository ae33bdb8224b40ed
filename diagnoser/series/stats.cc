#include "diagnoser/series/stats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace limpet {

double Mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  const double below = *std::max_element(values.begin(), middle);
  // Halved first: the sum of two large numbers may be infinite.
  return below / 2 + *middle / 2;
}

double SortedQuantile(std::span<const double> sorted, double p) {
  const double place = static_cast<double>(sorted.size() - 1) * p;
  const auto low = static_cast<std::size_t>(place);
  const auto high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

double SortedIqr(std::span<const double> sorted) {
  return SortedQuantile(sorted, 0.75) - SortedQuantile(sorted, 0.25);
}

// Puts only those values in their places that the quantiles read.
double Iqr(std::vector<double> values) {
  auto from = values.begin();
  for (const double p : {0.25, 0.75}) {
    const auto low = static_cast<std::ptrdiff_t>(static_cast<double>(values.size() - 1) * p);
    for (const auto place : {values.begin() + low, values.begin() + low + 1}) {
      if (place >= from && place < values.end()) {
        std::nth_element(from, place, values.end());
        from = place + 1;
      }
    }
  }
  return SortedIqr(values);
}

double MedianScatter(std::vector<double> values) {
  constexpr double kMadToSigma = 1.4826;
  const double median = Median(values);
  for (auto& value : values) {
    value = std::abs(value - median);
  }
  return kMadToSigma * Median(std::move(values));
}

// Relative, for metrics range from milliseconds to terabytes a second.
bool Near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

}  // namespace limpet
