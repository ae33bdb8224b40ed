// largest_rises.h: who is far from the peers by what its counters rose by at once, and by nothing
// else (series/largest_rise.h).
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "diagnoser/detect/group_window.h"

namespace limpet {

// By member: it is anomalous in some metric, so that its largest rises are left out once. Empty:
// nobody is. `threshold`: of a metric and a member, by number.
[[nodiscard]] std::vector<bool> FindDoubted(
    const GroupSamples& group, const GroupWindow& compared,
    const std::function<double(std::size_t metric, std::size_t member)>& threshold);

// Lowers the degrees of those doubted to what `level`, the same window without their largest rises,
// says: 0 where that finds them on the other side of their peers.
void LowerDegrees(const std::vector<bool>& doubted, const GroupWindow& level,
                  GroupWindow& compared);

}  // namespace limpet
