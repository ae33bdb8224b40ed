// largest_rises.h: who is far from the peers by what its counters rose by at once, and by nothing
// else (series/largest_rise.h).
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "diagnoser/detect/group_window.h"

namespace limpet {

// Member by member: it is anomalous in some metric, so that its largest rises are left out once.
// Empty: nobody is. `thresholds`: of a metric, by component.
using ThresholdOf = std::function<double(const std::string& component)>;
[[nodiscard]] std::vector<bool> FindDoubted(
    const GroupSamples& group, const GroupWindow& compared,
    const std::function<ThresholdOf(const MetricRow&)>& thresholds);

// Lowers the degrees of those doubted to what `level`, the same window without their largest rises,
// says, where that is less than half: 0 where it finds them on the other side of their peers.
void LowerDegrees(const std::vector<bool>& doubted, const GroupWindow& level,
                  GroupWindow& compared);

}  // namespace limpet
