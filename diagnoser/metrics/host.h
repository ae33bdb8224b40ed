// host.h: the 14 host metrics of behaviour profiles [Pan08 Table 1], from counters and gauges.
//
// Grid:    one sample a second: counters by the rules of series/increase.h, gauges by their latest
//          reading, at most 2.5 s old.
// CPU:     % of one processor, summed over all of them (400 when four are busy). Recordings have no
//          idle time to make a share of, and a model must mean the same live and replayed.
// runq-sz: procs_running as the kernel counts it, the exporter itself included.
// Missing: kMissing (metrics/missing.h), metric by metric.
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/metrics/missing.h"

namespace limpet {

enum class HostMetric : std::uint8_t {
  kUser,
  kSystem,
  kIowait,
  kContextSwitches,
  kRunQueue,
  kThreads,
  kLoad1,
  kReceived,
  kSent,
  kPagedIn,
  kPagedOut,
  kFaults,
  kRead,
  kWritten,
};
inline constexpr std::size_t kHostMetrics = 14;

static_assert(kHostMetrics == rows::kHosts.size());

[[nodiscard]] constexpr std::size_t Index(HostMetric metric) {
  return static_cast<std::size_t>(metric);
}
[[nodiscard]] constexpr const MetricRow& RowFor(HostMetric metric) {
  return rows::kHosts[Index(metric)];
}
// Finds it by the papers' name, as model files and configurations have it.
[[nodiscard]] constexpr std::optional<HostMetric> HostMetricByName(std::string_view name) {
  for (std::size_t i = 0; i < kHostMetrics; ++i) {
    if (rows::kHosts[i].name == name) {
      return static_cast<HostMetric>(i);
    }
  }
  return std::nullopt;
}

// One sample of every metric; those that are missing are kMissing.
using HostSample = std::array<double, kHostMetrics>;

[[nodiscard]] inline HostSample MissingHostSample() {
  HostSample sample{};
  sample.fill(kMissing);
  return sample;
}

}  // namespace limpet
