#include "diagnoser/detect/detector.h"

#include "diagnoser/detect/group_window.h"

namespace limpet {

void Detector::Grade(const GroupSamples& /*group*/, GroupWindow& window) const {
  // Of an undetermined window both are empty.
  for (auto& one : window.windows) {
    one.comparison.degree = one.comparison.s;
  }
}

// Without a Grade of its own a degree is s, and s cannot be larger than its bound.
bool Detector::BoundSuffices(const MetricRow& /*metric*/, const Comparison& comparison,
                             std::size_t component, const Candidate& candidate) const {
  return comparison.s[component] <= candidate.threshold;
}

}  // namespace limpet
