// window_shape.h: how long a window is and how its samples are smoothed.
//
// Threads: a value.
#pragma once

#include <cstddef>

#include "exporter/common/time.h"

namespace limpet {

// The smoothed samples that make a window: `window` of them, each the mean of `smoothing` steps.
struct WindowShape {
  Duration step;
  std::size_t window = 0;
  std::size_t smoothing = 1;
  bool levels_largest = false;  // without each counter's largest rise (largest_rise.h)
};

}  // namespace limpet
