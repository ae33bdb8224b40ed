// sort_kernels.h: many short columns of numbers sorted at once, with the widest vector instructions
// this processor has (chosen at run time by Highway).
//
// A sorting network compares the same places of every column, so a vector sorts as many columns as
// it has lanes, without a branch that could be mispredicted.
// Threads: pure but for the columns, which are the caller's.
#pragma once

#include <cstddef>
#include <span>

#include "diagnoser/detect/kernels/panels.h"

namespace limpet {

// Longer columns are sorted faster one by one: the network needs n log² n comparisons.
inline constexpr std::size_t kLongestSortedColumn = 1024;

// Sorts the first `columns` of a panel, each ascending; the others may be sorted or not. None is
// NaN. Of 0 and -0 in one column only one may be left, as often as both were.
void SortColumns(std::span<PanelRow<double>> rows, std::size_t columns);

}  // namespace limpet
