// panels.h: components side by side, as the kernels of pair_kernels.h read them.
//
// Threads: values and pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/detect/kernels/pair_kernels.h"

namespace limpet {

// Returns how many columns a row of distances needs for n components: whole panels.
[[nodiscard]] constexpr std::size_t PaddedToPanels(std::size_t n) {
  return (n + kPanelWidth - 1) / kPanelWidth * kPanelWidth;
}

// The same element of kPanelWidth components, on whole cache lines.
template <class T>
struct alignas(64) PanelRow {
  T lanes[kPanelWidth];
};

template <class T>
class Panels {
 public:
  // Zeros, room for `columns` components of `depth` elements.
  Panels(std::size_t columns, std::size_t depth)
      : depth_(depth), data_(PaddedToPanels(columns) / kPanelWidth * depth) {}

  [[nodiscard]] std::size_t Depth() const { return depth_; }
  void Put(std::size_t column, std::span<const T> row) {
    auto* to = data_.data() + column / kPanelWidth * depth_;
    for (const T element : row) {
      (to++)->lanes[column % kPanelWidth] = element;
    }
  }
  [[nodiscard]] const T* Panel(std::size_t number) const {
    return (data_.data() + number * depth_)->lanes;
  }

 private:
  std::size_t depth_;
  std::vector<PanelRow<T>> data_;
};

// Calls `kernel(piece, first element)` for pieces of the tile whose panel (24 KiB) stays in the
// nearest cache while all rows pass.
template <class T, class Kernel>
void InPieces(const Tile<T>& tile, const Kernel& kernel) {
  constexpr std::size_t kPiece = 96;  // a multiple of the elements of any term or sum of bytes
  for (std::size_t first = 0; first < tile.depth; first += kPiece) {
    Tile<T> piece = tile;
    piece.rows += first;
    piece.panel += first * kPanelWidth;
    piece.depth = std::min(kPiece, tile.depth - first);
    piece.fresh = first == 0;
    kernel(piece, first);
  }
}

}  // namespace limpet
