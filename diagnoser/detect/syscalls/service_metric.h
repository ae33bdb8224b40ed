// service_metric.h: the four service times of system calls that servers are compared by
// [Kasick09 §4].
//
//   dread    a server's reads of storage files     nsread  its reads of a request from a socket
//   dwrite   its writes to them                    ncread  a client's reads of a server's response
// Unit:    seconds a call: the summed duration of a second's calls over their number.
// Missing: a second without such calls.
// Threads: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace limpet {

enum class ServiceMetric : std::uint8_t { kDiskRead, kDiskWrite, kServerRead, kClientRead };
inline constexpr std::size_t kServiceMetrics = 4;
inline constexpr std::array<std::string_view, kServiceMetrics> kServiceMetricNames = {
    "dread", "dwrite", "nsread", "ncread"};

[[nodiscard]] constexpr std::string_view Name(ServiceMetric metric) {
  return kServiceMetricNames[static_cast<std::size_t>(metric)];
}
[[nodiscard]] constexpr std::optional<ServiceMetric> ParseServiceMetric(std::string_view name) {
  for (std::size_t i = 0; i < kServiceMetrics; ++i) {
    if (kServiceMetricNames[i] == name) {
      return static_cast<ServiceMetric>(i);
    }
  }
  return std::nullopt;
}

}  // namespace limpet
