// samples.h: from increases in one step to the samples of the papers' metrics.
//
// Ratios are recomputed from increases at every step, never averaged from finer ratios, and are 0
// when the step's (interpolated) requests are under 0.01.
// Missing: a sample is missing when an increase it needs is.
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "exporter/common/time.h"

namespace limpet {

// A ratio of fewer requests in a step says nothing.
inline constexpr double kMinRequests = 0.01;
using DiskIncreases = std::array<double, kDiskCounters>;      // by DiskCounter
using DiskSamples = std::array<double, rows::kDisks.size()>;  // by row

[[nodiscard]] DiskSamples SamplesOf(const DiskIncreases& increases, Duration step);

// Names alone, in the order of the rows.
template <std::size_t kCount>
[[nodiscard]] constexpr std::array<std::string_view, kCount> MetricNames(
    const std::array<MetricRow, kCount>& some) {
  std::array<std::string_view, kCount> names{};
  for (std::size_t i = 0; i < kCount; ++i) {
    names[i] = some[i].name;
  }
  return names;
}
inline constexpr auto kDiskMetricNames = MetricNames(rows::kDisks);
inline constexpr auto kNetMetricNames = MetricNames(rows::kInterfaces);
inline constexpr auto kCwndMetricNames = MetricNames(rows::kWindows);

}  // namespace limpet
