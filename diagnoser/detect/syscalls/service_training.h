// service_training.h: fault-free service times in, thresholds out [Kasick09 §6].
//
// A server's threshold is the largest deviation that it ever had. Servers that are saturated when
// nothing is wrong (their median deviation is over the median of all by more than three times the
// median absolute deviation) are left out of the reference, and everything is computed once more.
// Memory: 8 bytes a server and second: two passes need all of it.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/detect/syscalls/service_means.h"
#include "diagnoser/detect/syscalls/service_times.h"

namespace limpet {

class ServiceTraining {
 public:
  // Seconds come in order.
  void Observe(std::int64_t second, std::span<const ServiceSample> samples);
  // Empty when no second had enough servers.
  [[nodiscard]] ServiceThresholds Finish() const;

 private:
  using Deviations = std::map<std::string, std::vector<double>, std::less<>>;
  [[nodiscard]] Deviations DeviationsWithout(const std::set<std::string>& left_out) const;

  ServiceMeans means_;
  std::vector<std::vector<ServiceMean>> seconds_;
};

// Returns who is saturated, of the median deviations by server.
[[nodiscard]] std::set<std::string> FindSaturated(
    const std::map<std::string, double, std::less<>>& median_deviations);

}  // namespace limpet
