// activity.h: what every node's disks and programs did, in steps of a few seconds: requests by
// size, system calls by operation.
//
// Bounded by bytes and age, but for the latest step; a node with both costs some 500 bytes a step,
// one that tells neither costs nothing.
// Units:   a second; seconds each.
// Threads: one at a time; a step does not change once it is there.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/series/activity_readings.h"
#include "exporter/common/time.h"

namespace limpet {

struct NodeActivity {
  struct Rate {
    float often = 0;    // a second
    float seconds = 0;  // mean of each; 0 when there were none
  };
  struct Disks {
    std::array<float, kActivityBuckets> sizes{};  // requests a second, over the edge before
    Rate small;
    Rate large;
  };
  bool has_disks = false;
  Disks reads;
  Disks writes;
  // Names of the operations, shared with the step before, and a rate each.
  using Names = std::vector<ActivityTotals::Operation>;
  std::shared_ptr<const Names> names;
  std::vector<Rate> operations;

  // Operations on names and attributes by servers, a second; nullopt: no server tells its calls.
  [[nodiscard]] std::optional<double> MetadataOperations() const;
};

struct ActivityStep {
  UnixTime time;
  std::map<std::string, NodeActivity, std::less<>> nodes;

  // Null: it said nothing.
  [[nodiscard]] const NodeActivity* Find(std::string_view node) const;
};
using ActivitySteps = std::vector<std::shared_ptr<const ActivityStep>>;  // the oldest first

class ActivityLog {
 public:
  static constexpr Duration kStep = std::chrono::seconds(5);

  ActivityLog(Duration duration, std::size_t max_bytes) { SetBounds(duration, max_bytes); }
  void SetBounds(Duration duration, std::size_t max_bytes);
  // Counters begin anew with another pipeline.
  void Restart();

  [[nodiscard]] bool IsDue(UnixTime at) const { return !at_ || at < *at_ || at - *at_ >= kStep; }
  // Ends a step with the sums at its end.
  void Record(UnixTime at, std::map<std::string, ActivityTotals> totals);

  [[nodiscard]] const ActivitySteps& Steps() const { return steps_; }
  [[nodiscard]] std::size_t Bytes() const { return bytes_; }

 private:
  void Trim();

  Duration duration_{};
  std::size_t max_bytes_ = 0;
  std::size_t bytes_ = 0;
  std::optional<UnixTime> at_;
  std::map<std::string, ActivityTotals> before_;
  ActivitySteps steps_;
};

}  // namespace limpet
