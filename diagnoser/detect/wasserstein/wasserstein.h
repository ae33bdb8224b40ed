// wasserstein.h: the detector "w1": exact Wasserstein distances, in the metric's unit, and gates
// (gates.h) that say what they amount to without training.
//
// Threads: as Detector.
#pragma once

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/preset.h"

namespace limpet {

class WassersteinDetector final : public Detector {
 public:
  // `preset` must outlive the detector.
  explicit WassersteinDetector(const PresetSettings& preset) : preset_(&preset) {}

  using Detector::Compare;
  [[nodiscard]] Comparison Compare(const WindowSamples& window,
                                   const BoundWillDo& bound_will_do) const override;
  // Grades by the gates. What is judged with another metric by a bound is a bound itself.
  void Grade(const GroupSamples& group, GroupWindow& window) const override;
  // Returns for a metric that judges another one that it could not open the other's gate; the
  // threshold must then be the smaller of the two.
  [[nodiscard]] bool BoundSuffices(const MetricRow& metric, const Comparison& comparison,
                                   std::size_t component,
                                   const Candidate& candidate) const override;
  [[nodiscard]] PeerDistances Explain(const WindowSamples& window, const Comparison& comparison,
                                      std::size_t component, double threshold) const override;
  [[nodiscard]] TrainingRule Training() const override;

 private:
  const PresetSettings* preset_;
};

}  // namespace limpet
