// training.h: from the degrees of fault-free windows to thresholds ([Kasick10 §10.1], [Kasick12
// §4.2.1]).
//
//   v  the most that k of 2k-1 consecutive windows of a component have reached together: what the
//      filter of verdict/filter.h would have made of them. A flag wants more than that.
//   in tenths   q = max(1, ceil(10 v)), T = scale q / 10. With a cap no T is over `cap` times the
//               median T of its group. (kl, cdf)
//   otherwise   T = max(1, scale v), at most `cap`. (w1)
// A component without a training window has the median T of its group. So has, with
// deviant_as_group, one whose v is over that median: it would have been flagged while it was
// learned from, and a threshold of its own would teach that this is normal.
// Threads: values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/training_rule.h"

namespace limpet {

// The windows of one component and metric, one after the other; holds the last 2k-1 of them.
class TrainingRun {
 public:
  // `window` counts window times (end / shift) and must grow; a time that is left out counts as a
  // degree of 0. `k` >= 1, the same each time. Degrees are finite and not negative.
  void Add(std::int64_t window, double degree, std::size_t k);

  // v: the largest, over runs of 2k-1 consecutive window times, of the run's k-th largest degree.
  // With fewer than 2k-1 windows their k-th largest, with fewer than k their largest; nullopt
  // without any.
  [[nodiscard]] std::optional<double> Degree(std::size_t k) const;

  [[nodiscard]] std::uint64_t Windows() const { return windows_; }

 private:
  struct Window {
    std::int64_t time;
    double degree;
  };
  std::vector<Window> recent_;  // all of them until there are 2k-1
  std::uint64_t windows_ = 0;
  double most_ = 0;  // over the runs so far
};

struct TrainedThreshold {
  double threshold = 0;
  bool deviant = false;  // already deviant in training: it has its group's median
  bool capped = false;   // already deviant in training: its own degrees asked for more
  bool blind = false;    // no distance can exceed it
  bool median = false;   // of its group: it has no training window
};
// `seen`: v of every component of one group and metric, nullopt without a training window. Empty
// when no component has one: there is nothing to train on.
[[nodiscard]] std::map<std::string, TrainedThreshold, std::less<>> TrainThresholds(
    const std::map<std::string, std::optional<double>, std::less<>>& seen,
    const TrainingRule& rule);

// f of one side from the least log / median seen [Kasick10 §10.1]: floor(100 v) / 100 in
// [kMinCwndF, kMaxCwndF].
inline constexpr double kMinCwndF = 0.05;
inline constexpr double kMaxCwndF = 0.95;
[[nodiscard]] double TrainCwndF(double least);

}  // namespace limpet
