// training.h: what fault-free recordings teach about system calls [Kasick09 §6, §7].
//
// Threads: values.
#pragma once

#include <array>
#include <map>
#include <string>

#include "diagnoser/detect/syscalls/benign_errors.h"
#include "diagnoser/detect/syscalls/service_metric.h"
#include "diagnoser/detect/syscalls/service_times.h"

namespace limpet {

struct SyscallTraining {
  // Thresholds by role of the servers, then by ServiceMetric.
  std::map<std::string, std::array<ServiceThresholds, kServiceMetrics>, std::less<>> service;
  LearnedErrors errors;
  bool operator==(const SyscallTraining&) const = default;

  [[nodiscard]] bool Empty() const { return service.empty() && errors.empty(); }
  // Returns thresholds without deviations when the role or the metric was not trained.
  [[nodiscard]] ServiceThresholds Find(std::string_view role, ServiceMetric metric) const {
    const auto found = service.find(role);
    return found == service.end() ? ServiceThresholds()
                                  : found->second[static_cast<std::size_t>(metric)];
  }
};

}  // namespace limpet
