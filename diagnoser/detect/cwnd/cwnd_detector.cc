#include "diagnoser/detect/cwnd/cwnd_detector.h"

#include <cmath>
#include <utility>
#include <vector>

#include "diagnoser/detect/cwnd/cwnd.h"
#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

// From logarithms; at least one is not missing.
double MedianSegments(std::span<const double> logs) {
  std::vector<double> known;
  for (const double log : logs) {
    if (!IsMissing(log)) {
      known.push_back(log);
    }
  }
  return std::exp(Median(std::move(known)));
}

}  // namespace

Comparison CwndDetector::Compare(const WindowSamples& window,
                                 const BoundWillDo& /*bound_will_do*/) const {
  Comparison result;
  const std::size_t n = window.samples->size();
  if (n == 0) {
    return result;
  }
  // A median is there only in seconds with enough servers, so two that are left now may be judged
  // by seconds in which there were more.
  result.undetermined = false;
  result.median_mean = MedianSegments(window.medians);
  result.direction.assign(n, Direction::kLow);  // a large window is no fault
  for (std::size_t i = 0; i < n; ++i) {
    const auto own = window.samples->Of(i);
    const auto judged = JudgeCwndWindow(own, window.medians, f_);
    result.mean.push_back(MedianSegments(own));
    result.degree.push_back(judged->degree);
    result.anomalous.push_back(judged->anomalous);
  }
  return result;
}

void CwndDetector::Grade(const GroupSamples& /*group*/, GroupWindow& /*window*/) const {}

PeerDistances CwndDetector::Explain(const WindowSamples& /*window*/,
                                    const Comparison& /*comparison*/, std::size_t /*component*/,
                                    double /*threshold*/) const {
  return {};
}

TrainingRule CwndDetector::Training() const { return {.in_tenths = false, .scale = 1}; }

}  // namespace limpet
