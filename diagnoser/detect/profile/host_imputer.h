// host_imputer.h: the holes of a host's samples filled in, metric by metric (impute.h).
//
// Threads: values, one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>

#include "diagnoser/detect/profile/impute.h"
#include "diagnoser/metrics/host.h"

namespace limpet {

class HostImputer {
 public:
  // The next second.
  void Put(const HostSample& sample) {
    for (std::size_t i = 0; i < kHostMetrics; ++i) {
      metrics_[i].imputer.Put(sample[i]);
    }
    Settle();
  }
  // No more will come.
  void Finish() {
    for (auto& metric : metrics_) {
      metric.imputer.Finish();
    }
    Settle();
  }
  // Returns whether the oldest second not given yet is known for certain in every metric.
  [[nodiscard]] bool Ready() const {
    for (const auto& metric : metrics_) {
      if (metric.settled.empty()) {
        return false;
      }
    }
    return true;
  }
  // Only when Ready.
  [[nodiscard]] HostSample Next() {
    HostSample sample{};
    for (std::size_t i = 0; i < kHostMetrics; ++i) {
      sample[i] = metrics_[i].settled.front();
      metrics_[i].settled.pop_front();
    }
    return sample;
  }

 private:
  void Settle() {
    for (auto& metric : metrics_) {
      while (const auto value = metric.imputer.Next()) {
        metric.settled.push_back(*value);
      }
    }
  }

  struct Metric {
    Imputer imputer;
    std::deque<double> settled;
  };
  std::array<Metric, kHostMetrics> metrics_;
};

}  // namespace limpet
