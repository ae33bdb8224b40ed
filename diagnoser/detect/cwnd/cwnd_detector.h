// cwnd_detector.h: the detector of congestion windows: a server whose window is small beside its
// peers' in half of the seconds or more (cwnd.h).
//
// Threads: as Detector.
#pragma once

#include "diagnoser/detect/detector.h"

namespace limpet {

class CwndDetector final : public Detector {
 public:
  // A second is anomalous when log < f * median; 0 < f < 1.
  explicit CwndDetector(double f) : f_(f) {}

  // The samples are logs of windows (CwndLog). Each component shares a second with the medians
  // (CwndSharesSecond). Graded at once: a degree over 1 is a window smaller than f allows. Means
  // are medians over the seconds, in segments. No bounds.
  using Detector::Compare;
  [[nodiscard]] Comparison Compare(const WindowSamples& window,
                                   const BoundWillDo& bound_will_do) const override;
  void Grade(const GroupSamples& group, GroupWindow& window) const override;
  // No distances: a server is held against the median of all.
  [[nodiscard]] PeerDistances Explain(const WindowSamples& window, const Comparison& comparison,
                                      std::size_t component, double threshold) const override;
  // Windows teach nothing; f is learned from single seconds (TrainCwndF).
  [[nodiscard]] TrainingRule Training() const override;

 private:
  double f_;
};

}  // namespace limpet
