// pruning.h: proven upper bounds of the degrees of a group, from n distances instead of n^2/2.
//
// Let p be any point (not even a component) and d_i the distance of component i to it. By the
// triangle inequality d(i,j) <= d_i + d_j. Let r be the (n-m+1)-th smallest of all n distances d.
// At least n-m+1 components lie within r of p, so at least n-m of them are not i, and each of those
// has d(i,j) <= d_i + r. So at most (n-1) - (n-m) = m-1 of i's n-1 distances exceed d_i + r, and
// the m-th largest of them does not:   s_i <= d_i + r.
//
// The bound is never far off: m components have d_j <= r', the m-th smallest of the others', and
// those have d(i,j) >= d_i - r', so s_i >= d_i - r'. With p in the middle of the crowd r and r' are
// the radius of its denser half, which is small exactly when the components are peers.
//
// kl obeys no triangle inequality. Fuzzed against all pairs: tests/fuzz/pruning_fuzz.cc.
// Threads: pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "diagnoser/detect/kernels/all_pairs.h"

namespace limpet {

// d_i + r for every i, a little more where rounding could have made a term too small: `terms` is
// how many numbers a distance is the sum of. n >= 2.
[[nodiscard]] std::vector<double> UpperBounds(std::vector<double> to_pivot, std::size_t terms);

// A good pivot for rows compared by sum |a - b|: the median of every element, over `who` or, when
// there are more, over 255 of them. `row(i)` points to `depth` elements of component i.
template <class RowOf>
[[nodiscard]] auto MiddleRow(std::size_t depth, std::span<const std::size_t> who,
                             const RowOf& row) {
  using T = std::remove_cvref_t<decltype(*row(0))>;
  constexpr std::size_t kEnough = 255;
  const std::size_t count = std::min(kEnough, who.size());
  std::vector<T> column(count);
  std::vector<T> middle(depth);
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      column[i] = row(who[i * who.size() / count])[k];
    }
    const auto half = column.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(column.begin(), half, column.end());
    middle[k] = *half;
  }
  return middle;
}

}  // namespace limpet
