// typical.h: what is typical of peers, for byte balances.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet {

inline constexpr double kMinTraffic = 1 << 20;  // B/s; ratios of less are those of odds and ends
inline constexpr std::size_t kMinTypical = 3;   // members; fewer are not typical of anybody

// The lower of the middle two, which is no hog's where half of the servers have one; `otherwise` of
// fewer than kMinTypical.
[[nodiscard]] inline double TypicalOf(std::vector<double> values, double otherwise) {
  return values.size() < kMinTypical ? otherwise : MiddleTwo(std::move(values))[0];
}

}  // namespace limpet
