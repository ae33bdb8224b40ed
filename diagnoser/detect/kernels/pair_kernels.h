// pair_kernels.h: the innermost loops of the peer comparison, with the widest vector instructions
// this processor has (chosen at run time by Highway).
//
// A kernel compares rows (components) with a panel: kPanelWidth components side by side, element k
// of all of them before element k + 1. So a vector holds the same element of several components,
// each pair has a lane of its own, and its terms are added one after the other, in order: every
// instruction set gives the same bits as a plain loop does.
// Threads: pure but for the sums, which are the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace limpet {

inline constexpr std::size_t kPanelWidth = 32;

template <class T>
struct Tile {
  const T* rows;            // `count` rows, `stride` elements apart
  std::size_t stride;       // in elements
  std::size_t count;        // at least 1
  const T* panel;           // depth * kPanelWidth elements
  std::size_t depth;        // elements of a row
  std::size_t columns;      // of the panel that are wanted, 1 to kPanelWidth; more may be computed
  T* sums;                  // kPanelWidth for each row
  std::size_t sums_stride;  // from one row's to the next's
  bool fresh = true;  // false: the terms are added to what is there (long rows come in pieces)
};

// sum |row_k - panel_k|.
void AddAbsolute(const Tile<double>& tile);
// sum weights[k] |row_k - panel_k|.
void AddWeighted(const Tile<double>& tile, const double* weights);
// sum (P_k - P'_k)(L_k - L'_k), where elements 2k and 2k + 1 of a row are P_k and L_k.
void AddDivergence(const Tile<double>& tile);
// The sum of max(row, panel) over the eight bytes of each element. No byte exceeds `largest`: up
// to 255 / largest bytes are added up before they are widened.
void AddMaxima(const Tile<std::uint64_t>& tile, std::uint8_t largest);

// out[c] = the low 16 bits of 2 sums[c] - less - column_less[c], for kPanelWidth columns.
void SubtractTotals(const std::uint64_t* sums, std::uint64_t less, const std::uint64_t* column_less,
                    std::uint16_t* out);

// The k-th largest, 1 <= k <= size; none is NaN. The order of the doubles is lost, and some of
// them.
[[nodiscard]] double KthLargest(std::span<double> values, std::size_t k);
[[nodiscard]] std::uint16_t KthLargest(std::span<const std::uint16_t> values, std::size_t k);

}  // namespace limpet
