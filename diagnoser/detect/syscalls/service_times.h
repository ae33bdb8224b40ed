// service_times.h: servers whose system calls take another time than those of their peers
// [Kasick09 §6].
//
//   deviation  |trailing mean - median over the servers|, in seconds a call
//   windows    end at multiples of 5 s; anomalous: the deviation there is over the threshold
//   flagged    anomalous in k of the last 2k-1 windows
//
// Thresholds are trained (service_training.h): each server's own, or, for one that was not there in
// training, the largest of the others'. Without training nobody is anomalous: how far
// healthy servers are apart depends on the file system and the disks, and no number holds for all
// (docs/decisions/0161-system-calls.md).
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/direction.h"
#include "diagnoser/detect/syscalls/service_means.h"

namespace limpet {

// The result of training for one metric of one role.
struct ServiceThresholds {
  std::map<std::string, double, std::less<>> deviations;  // by server: the largest when healthy, s
  std::set<std::string> saturated;                        // left out of the reference
  bool operator==(const ServiceThresholds&) const = default;

  // Returns, for a server that training did not see, the largest of all; nullopt: nothing was
  // trained.
  [[nodiscard]] std::optional<double> Find(std::string_view server) const;
};

// One server at one window end.
struct ServiceState {
  std::string server;
  double mean = 0;       // trailing, seconds a call
  double deviation = 0;  // from the reference, never negative
  std::optional<double> threshold;
  bool own_threshold = false;      // not that of the others
  bool anomalous = false;          // in this window
  bool flagged = false;            // in enough of the last ones
  double degree = 0;               // k-th largest deviation of those over its threshold
  std::vector<std::int64_t> ends;  // of the anomalous windows among them, in seconds
  Direction direction = Direction::kNone;
};
struct ServiceWindow {
  std::int64_t end = 0;  // Unix seconds
  double reference = 0;
  std::vector<ServiceState> servers;  // by name; those with a mean at the window's end
};

class ServiceTimes {
 public:
  static constexpr std::int64_t kWindow = 5;  // seconds

  // `k` from 1 on.
  ServiceTimes(ServiceThresholds thresholds, std::size_t k)
      : thresholds_(std::move(thresholds)), k_(k) {}

  // Seconds come in order. nullopt between window ends, and with too few servers.
  [[nodiscard]] std::optional<ServiceWindow> Observe(std::int64_t second,
                                                     std::span<const ServiceSample> samples);

 private:
  struct Entry {
    std::int64_t end = 0;
    double deviation = 0;
    bool anomalous = false;
  };
  [[nodiscard]] ServiceState Judge(std::int64_t end, const ServiceMean& mean, double reference);

  ServiceThresholds thresholds_;
  std::size_t k_;
  ServiceMeans means_;
  std::map<std::string, std::vector<Entry>, std::less<>> recent_;  // the last 2k-1 window times
};

}  // namespace limpet
