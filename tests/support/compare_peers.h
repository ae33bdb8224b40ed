// compare_peers.h: one comparison by the detector that a preset names, for tests of what all
// detectors have in common.
#pragma once

#include <string_view>

#include "diagnoser/detect/detectors.h"

namespace limpet::testing {

// By name; the metric must exist.
inline const MetricRow& Metric(std::string_view name) { return *FindMetric(name); }

inline Comparison ComparePeers(const SampleSet& samples, std::string_view metric,
                               const PresetSettings& preset,
                               const BoundWillDo& bound_will_do = nullptr) {
  return MakeDetector(preset)->Compare({.metric = &Metric(metric), .samples = &samples},
                                       bound_will_do);
}

}  // namespace limpet::testing
