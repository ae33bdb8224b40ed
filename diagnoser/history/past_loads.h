// past_loads.h: what every node did in the last hours, as means of a minute or more: what the map
// of a past instant is drawn from.
//
// It adds up the frames that are made anyway. A step takes a byte a node and column that has any
// value, and is as many minutes long as it takes for `duration` to fit into `max_bytes`: at 1,000
// nodes six hours are 360 steps in 4 MB. What is over a bound is forgotten, the oldest first.
// Missing: a column of a node without any value in a step is kUnknown; none has a cause, which the
//          history of verdicts has.
// Threads: one at a time; a step does not change once it is there.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/history/frame.h"
#include "exporter/common/time.h"

namespace limpet {

struct PastStep {
  UnixTime begin;
  UnixTime end;
  std::shared_ptr<const std::vector<std::string>> names;  // of the nodes, sorted; often shared
  std::bitset<kColumns> columns;                          // those with any value
  std::vector<std::uint8_t> values;                       // column by column, a byte a node

  [[nodiscard]] std::size_t Bytes() const;
};
using PastSteps = std::vector<std::shared_ptr<const PastStep>>;  // the oldest first

class PastLoads {
 public:
  PastLoads(Duration duration, std::size_t max_bytes) { SetBounds(duration, max_bytes); }
  void SetBounds(Duration duration, std::size_t max_bytes);

  // Takes frames in order of time; one of before the current step (the clock was set back) makes
  // it forget what is newer. True when a step has ended with it.
  bool Record(const Frame& frame);

  [[nodiscard]] const PastSteps& Steps() const { return steps_; }
  [[nodiscard]] std::size_t Bytes() const;

 private:
  struct Sum {
    float value = 0;  // of `degree` the largest, of the others their sum
    std::uint32_t count = 0;
  };

  void Begin(UnixTime at, std::size_t nodes);
  void Follow(const std::shared_ptr<const Cluster>& cluster);
  void Add(const Frame& frame);
  void End();
  void Trim();

  Duration duration_{};
  std::size_t max_bytes_ = 0;
  std::size_t bytes_ = 0;  // of the steps
  PastSteps steps_;
  std::optional<UnixTime> begin_;  // of the step that goes on
  UnixTime end_;
  std::shared_ptr<const Cluster> cluster_;  // of its sums
  std::shared_ptr<const std::vector<std::string>> names_;
  std::vector<Sum> sums_;  // kColumns of each node
};

// Returns the step that `at` is in, or the one before while its own goes on; null: nothing is kept
// of then.
[[nodiscard]] const PastStep* FindStep(const PastSteps& steps, UnixTime at);

// Returns its values in the places of `cluster`; nodes that were not there are kUnknown. `time` is
// the end of the step.
[[nodiscard]] Frame FrameOf(const PastStep& step, std::shared_ptr<const Cluster> cluster);

}  // namespace limpet
