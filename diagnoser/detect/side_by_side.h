// side_by_side.h: how independent parts of one computation are done: one after the other, or on
// several threads where the caller has some.
//
//   for_each(windows.size(), [&](std::size_t i) { windows[i].comparison = Compare(windows[i]); });
//
// Threads: each part writes what is its own and only reads the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace limpet {

// Calls its body once with every number below the count, on whichever threads, and comes back when
// all are done. A body may call it again.
using SideBySide =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& body)>;

inline void OneAfterTheOther(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t i = 0; i < count; ++i) {
    body(i);
  }
}

// The same for parts that are too small to be handed out one by one.
template <class Body>
void InBlocks(const SideBySide& for_each, std::size_t count, std::size_t block, const Body& body) {
  for_each((count + block - 1) / block, [&](std::size_t number) {
    for (auto i = number * block; i < std::min(count, (number + 1) * block); ++i) {
      body(i);
    }
  });
}

}  // namespace limpet
