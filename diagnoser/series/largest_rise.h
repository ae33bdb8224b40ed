// largest_rise.h: a window of a counter without the largest of its rises.
//
// One odd reading, a driver that counts late or a page that was held up look like a moment of huge
// load. Who is far from the peers by that moment alone is not far from them.
// Missing: stays so.
// Threads: pure.
#pragma once

#include <span>

namespace limpet {

// Puts the mean of the other steps in the place of the largest and of those that the same pair of
// readings filled, where these are larger than it.
void LevelLargestRise(std::span<double> steps);

}  // namespace limpet
