// machine_labels.h: the labels by which series of several machines are told apart.
//
// Prometheus, its federation, Kubernetes, hostmetrics and proxies put them on series.
// Threads: constants.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace limpet {

inline constexpr std::array<std::string_view, 9> kMachineLabels = {
    "exported_instance", "host", "host_name", "hostname", "instance",
    "machine",           "node", "node_name", "nodename"};

[[nodiscard]] constexpr bool IsMachineLabel(std::string_view label) {
  return std::find(kMachineLabels.begin(), kMachineLabels.end(), label) != kMachineLabels.end();
}

}  // namespace limpet
