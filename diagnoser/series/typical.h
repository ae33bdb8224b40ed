// typical.h: means over a window, and what is typical of peers, for byte balances.
//
// Threads: pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace limpet {

inline constexpr double kMinTraffic = 1 << 20;  // B/s; ratios of less are those of odds and ends
inline constexpr std::size_t kMinTypical = 3;   // members; fewer are not typical of anybody

[[nodiscard]] inline double MeanOf(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

// The median; `otherwise` of fewer than kMinTypical.
[[nodiscard]] inline double TypicalOf(std::vector<double> values, double otherwise) {
  if (values.size() < kMinTypical) {
    return otherwise;
  }
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace limpet
