// missing.h: how a missing sample looks inside a column of numbers.
//
// Columns hold plain doubles so that arithmetic over them stays simple and fast; a quiet NaN marks
// a hole. It never leaves: whoever takes samples out of a column drops the holes or asks IsMissing.
// Threads: pure.
#pragma once

#include <cmath>
#include <limits>

namespace limpet {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
[[nodiscard]] inline bool IsMissing(double sample) { return std::isnan(sample); }

}  // namespace limpet
