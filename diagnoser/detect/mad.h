// mad.h: the detector "mad": how many robust standard deviations a component's median lies from its
// group's (the modified z-score of Iglewicz and Hoaglin, 1993).
//
//   m_i = median of i's samples,  M = median of all m,  s_i = |m_i - M| / max(1.4826 MAD, floor)
//   MAD = median of |m - M|;  floor = noise_floor of the metric
//
// It looks at medians alone: bursts in fewer than half of a window's samples pass. 3.5 is the usual
// threshold. When more than half of the group are equal, whoever differs is infinitely odd, unless
// the metric has a floor. Costs n medians, without any pairs.
// Threads: as Detector.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/series/stats.h"

namespace limpet {

class MadDetector final : public Detector {
 public:
  // `preset` must outlive the detector.
  explicit MadDetector(const PresetSettings& preset) : preset_(&preset) {}

  using Detector::Compare;
  [[nodiscard]] Comparison Compare(const WindowSamples& window,
                                   const BoundWillDo& /*bound_will_do*/) const override {
    auto result = CompareMeans(*window.samples);
    if (result.undetermined) {
      return result;
    }
    const auto all = window.samples->All();
    const auto [lo, hi] = std::minmax_element(all.begin(), all.end());
    result.lo = *lo;
    result.hi = *hi;
    const auto group = Measure(window);
    for (const double median : group.medians) {
      result.s.push_back(Distance(median, group.centre, group.unit));
    }
    return result;
  }

  [[nodiscard]] PeerDistances Explain(const WindowSamples& window, const Comparison& /*comparison*/,
                                      std::size_t component, double threshold) const override {
    const auto group = Measure(window);
    PeerDistances result{.to = {}, .far = threshold};
    for (const double median : group.medians) {
      result.to.push_back(Distance(median, group.medians[component], group.unit));
    }
    return result;
  }

  [[nodiscard]] TrainingRule Training() const override {
    return {.in_tenths = true,
            .scale = preset_->training_scale,
            .cap = preset_->training_cap,
            .deviant_as_group = preset_->training_deviant == TrainingDeviant::kGroup};
  }

 private:
  static constexpr double kLargest = 1e300;  // stands for infinity, which JSON has not

  struct Group {
    std::vector<double> medians;
    double centre = 0;
    double unit = 0;
  };

  [[nodiscard]] Group Measure(const WindowSamples& window) const {
    Group group;
    for (std::size_t i = 0; i < window.samples->size(); ++i) {
      const auto own = window.samples->Of(i);
      group.medians.push_back(Median({own.begin(), own.end()}));
    }
    group.centre = Median(group.medians);
    // Equal peers have no spread, and then the last digit would be an outlier; the floor is the
    // least difference that an operator cares about.
    group.unit = std::max(MedianScatter(group.medians), preset_->NoiseFloor(window.metric->name));
    return group;
  }

  [[nodiscard]] static double Distance(double a, double b, double unit) {
    if (Near(a, b)) {
      return 0;
    }
    return unit > 0 ? std::min(std::abs(a - b) / unit, kLargest) : kLargest;
  }

  const PresetSettings* preset_;
};

}  // namespace limpet
