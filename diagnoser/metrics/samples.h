// samples.h: from increases in one step to the samples of the papers' metrics.
//
// Ratios are recomputed from increases at every step, never averaged from finer ratios, and are 0
// when the step's (interpolated) requests are under 0.01.
// Missing: a sample is missing when an increase it needs is.
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

// Counters of a disk, in the exporters' units: requests, bytes, seconds.
enum class DiskCounter : std::uint8_t {
  kReads,
  kWrites,
  kReadBytes,
  kWrittenBytes,
  kReadSeconds,
  kWriteSeconds,
  kBusySeconds,
  kWeightedSeconds,
};
inline constexpr std::size_t kDiskCounters = 8;
// Counted in milliseconds by the kernel, and continued beyond 32 bits by the exporter.
[[nodiscard]] constexpr bool IsTime(DiskCounter counter) {
  return counter >= DiskCounter::kReadSeconds;
}
// A ratio of fewer requests in a step says nothing.
inline constexpr double kMinRequests = 0.01;
using DiskIncreases = std::array<double, kDiskCounters>;

// Sorted by name, as events are.
enum class DiskMetric : std::uint8_t {
  kUtil,         // %, at most 100
  kQueueSize,    // requests
  kRequestSize,  // sectors
  kAwait,        // ms
  kRead,         // sectors/s
  kServiceTime,  // ms
  kRequests,     // 1/s
  kWrite,        // sectors/s
};
inline constexpr std::array<std::string_view, 8> kDiskMetricNames = {
    "%util", "avgqu-sz", "avgrq-sz", "await", "rd_sec", "svctm", "tps", "wr_sec"};
using DiskSamples = std::array<double, kDiskMetricNames.size()>;

// Counters of a network interface and the metrics made of them, one to one.
enum class NetCounter : std::uint8_t { kRxBytes, kRxPackets, kTxBytes, kTxPackets };
inline constexpr std::array<std::string_view, 4> kNetMetricNames = {"rxbyt", "rxpck", "txbyt",
                                                                    "txpck"};

inline constexpr std::array<std::string_view, 2> kCwndMetricNames = {"cwnd_client", "cwnd_server"};

[[nodiscard]] DiskSamples SamplesOf(const DiskIncreases& increases, Duration step);

}  // namespace limpet
