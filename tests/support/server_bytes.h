// server_bytes.h: windows of servers whose disks and interfaces move as much as a test says.
#pragma once

#include <string_view>
#include <vector>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/series/window_samples.h"

namespace limpet::testing {

inline constexpr double kMB = 1e6;
inline constexpr std::size_t kWindow = 8;

[[nodiscard]] inline std::size_t RowNumber(std::string_view name) {
  return static_cast<std::size_t>(FindMetric(name) - rows::kInterfaces.data());
}

// B/s.
struct Load {
  double read = 0;
  double sent = 0;
  double written = 0;
  double received = 0;
};

[[nodiscard]] inline MemberSamples Server(const Load& load, std::size_t disk_samples = kWindow) {
  MemberSamples member;
  for (const auto& row : rows::kInterfaces) {
    const double value = row.name == "unsent"       ? load.read
                         : row.name == "txbyt"      ? load.sent
                         : row.name == "unreceived" ? load.written
                         : row.name == "rxbyt"      ? load.received
                                                    : 1;
    member.metrics.Add(
        std::vector<double>(row.formula.IsBalance() ? disk_samples : kWindow, value));
  }
  return member;
}

}  // namespace limpet::testing
