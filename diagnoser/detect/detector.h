// detector.h: the one shape of a detector: one window of one metric of one peer group in; how far
// each component is from its peers, why, and what its thresholds mean out.
//
// Detectors have settings and no state. detectors.h lists those that a preset may name; cwnd/ has
// the one for congestion windows. How to write another: docs/recipes/detector.md.
// Threads: const functions may be called by any number at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/detect/training_rule.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/series/sample_set.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

struct GroupSamples;
struct GroupWindow;

// The input of a detector. All it points to must outlive the call.
struct WindowSamples {
  const MetricRow* metric = nullptr;
  const SampleSet* samples = nullptr;  // of those taking part, at least one each; holes taken out
  // Congestion windows only: `samples` are a value a second, kMissing where there is none, and
  // these are the group's medians in the same seconds.
  std::span<const double> medians = {};
};

// Asked about each component while its s is an upper bound (pruning.h) and everything else is
// final: whether the bound will do, or its exact s is wanted.
using BoundWillDo = std::function<bool(const Comparison&, std::size_t component)>;

// One component of a group at one window, and the threshold its degree is held against.
struct Candidate {
  const Member* member = nullptr;
  const MemberSamples* samples = nullptr;
  double threshold = 0;
};

// One component seen from its peers, for evidence.
struct PeerDistances {
  std::vector<double> to;  // in the order of the samples; 0 to itself
  // A peer further away than this would make the component anomalous if all were as far; infinite:
  // no distance would.
  double far = std::numeric_limits<double>::infinity();
};

class Detector {
 public:
  Detector() = default;
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;
  virtual ~Detector() = default;

  // Every s is exact, unless `bound_will_do` is given and the detector has bounds: then those for
  // which it says no, and all where most are.
  [[nodiscard]] virtual Comparison Compare(const WindowSamples& window,
                                           const BoundWillDo& bound_will_do) const = 0;
  [[nodiscard]] Comparison Compare(const WindowSamples& window) const {
    return Compare(window, nullptr);
  }

  // Fills the degrees once all metrics of a group are compared: a metric may count for more or less
  // by what others say. A degree is s itself, unless overridden.
  virtual void Grade(const GroupSamples& group, GroupWindow& window) const;

  // Returns whether s, an upper bound yet, says that the component is not anomalous: its exact s
  // would not be over the threshold either, whatever Grade makes of it.
  [[nodiscard]] virtual bool BoundSuffices(const MetricRow& metric, const Comparison& comparison,
                                           std::size_t component, const Candidate& candidate) const;

  // Tells from which of its peers a component is far: the same distances that `comparison`, made of
  // the same window and graded, took its s from.
  [[nodiscard]] virtual PeerDistances Explain(const WindowSamples& window,
                                              const Comparison& comparison, std::size_t component,
                                              double threshold) const = 0;

  [[nodiscard]] virtual TrainingRule Training() const = 0;
};

}  // namespace limpet
