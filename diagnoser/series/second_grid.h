// second_grid.h: the grid of what is read second by second, whatever the presets' steps.
//
// Threads: pure.
#pragma once

#include "diagnoser/series/increase.h"

namespace limpet {

inline constexpr Duration kSecondStep = std::chrono::seconds(1);
inline constexpr Duration kMaxSecondGap = std::chrono::seconds(5);

// Returns the grid with room for readings that are `ahead` of those that are still wanted.
inline GridSpec SecondGrid(Duration ahead) {
  return {.step = kSecondStep,
          .max_gap = kMaxSecondGap,
          .capacity = static_cast<std::size_t>((ahead + 2 * kMaxSecondGap) / kSecondStep) + 8};
}

}  // namespace limpet
