// detail.h: how much of a view is published component by component.
//
// Threads: values.
#pragma once

#include <cstddef>

namespace limpet {

// Above so many components and metrics, Detail::kAuto shows the conspicuous alone: each is five
// series, 0.7 kB of the page.
inline constexpr std::size_t kShownInFull = 5000;

// The components that the page shows one by one.
enum class Detail {
  kAuto,     // kAll up to kShownInFull; of more kFlagged, and kTop where as many are flagged
  kAll,      // every component and metric
  kFlagged,  // those that are flagged or have an accumulator over 0
  kTop,      // of those the `top` first of each preset, group and metric, by degree
};

struct DetailOptions {
  Detail detail = Detail::kAuto;
  std::size_t top = 20;
};

}  // namespace limpet
