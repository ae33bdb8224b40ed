// degree.h: on which side of its peers a component is.
//
// Threads: pure.
#pragma once

#include "diagnoser/detect/direction.h"

namespace limpet {

// Sign of mean - median, kNone when they are near (stats.h).
[[nodiscard]] Direction DirectionOf(double mean, double median_of_means);

}  // namespace limpet
