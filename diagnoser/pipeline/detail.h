// detail.h: how much of a view is published component by component.
//
// Threads: values.
#pragma once

#include <cstddef>

namespace limpet {

// The components that the page shows one by one.
enum class Detail {
  kAll,      // every component and metric
  kFlagged,  // those that are flagged or have an accumulator over 0
  kTop,      // of those the `top` first of each preset, group and metric, by degree
};

struct DetailOptions {
  Detail detail = Detail::kAll;
  std::size_t top = 20;
};

}  // namespace limpet
