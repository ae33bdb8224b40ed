// filter.h: k of 2k-1: one odd window is chance, k of them are a finding [Kasick10 §10.1].
//
// A window time without data, or undetermined, counts as not anomalous. The current window itself
// need not be anomalous.
// Threads: values.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

// One window of one component and metric.
struct FilterEntry {
  UnixTime end;
  double degree = 0;       // s, or with w1 the window degree, before the threshold
  bool anomalous = false;  // at the threshold that held then
};

// The windows that still count at `end`, oldest first: those of the 2k-1 window times up to it.
inline std::vector<FilterEntry> Remember(std::vector<FilterEntry> recent, const FilterEntry& now,
                                         std::size_t k, Duration shift) {
  const auto oldest = now.end - shift * (2 * static_cast<Duration::rep>(k) - 2);
  std::erase_if(
      recent, [&](const FilterEntry& entry) { return entry.end < oldest || entry.end >= now.end; });
  recent.push_back(now);
  return recent;
}

// Returns whether at least k are anomalous.
[[nodiscard]] inline bool IsFlagged(std::span<const FilterEntry> recent, std::size_t k) {
  const auto anomalous = std::count_if(recent.begin(), recent.end(),
                                       [](const FilterEntry& entry) { return entry.anomalous; });
  return static_cast<std::size_t>(anomalous) >= k;
}

// The k-th largest degree, 0 with fewer than k. Over the threshold exactly when flagged.
[[nodiscard]] inline double KthDegree(std::span<const FilterEntry> recent, std::size_t k) {
  if (recent.size() < k || k == 0) {
    return 0;
  }
  std::array<double, 16> few;
  std::vector<double> many(recent.size() > few.size() ? recent.size() : 0);
  const auto degrees = many.empty() ? std::span<double>(few).first(recent.size()) : std::span(many);
  std::transform(recent.begin(), recent.end(), degrees.begin(),
                 [](const FilterEntry& entry) { return entry.degree; });
  const auto place = degrees.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(degrees.begin(), place, degrees.end(), std::greater<>());
  return *place;
}

}  // namespace limpet
