#include "diagnoser/detect/pair_degrees.h"

#include <utility>
#include <vector>

#include "diagnoser/detect/kernels/pruning.h"

namespace limpet {

void FillDegrees(Pairs& pairs, std::size_t terms, const BoundWillDo& bound_will_do,
                 Comparison& result) {
  const std::size_t n = pairs.Size();
  auto to_pivot = bound_will_do ? pairs.ToPivot() : std::vector<double>();
  if (to_pivot.empty()) {
    result.s = pairs.AllDegrees();
    return;
  }
  result.s = UpperBounds(std::move(to_pivot), terms);
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < n; ++i) {
    if (!bound_will_do(result, i)) {
      wanted.push_back(i);
    }
  }
  // Rows one by one cannot use symmetry, so from half of them on all pairs cost no more, and then
  // everybody is exact.
  if (2 * wanted.size() > n) {
    result.s = pairs.AllDegrees();
    return;
  }
  const auto exact = SomeDegrees(pairs, wanted);
  result.is_bound.assign(n, true);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    result.s[wanted[i]] = exact[i];
    result.is_bound[wanted[i]] = false;
  }
}

}  // namespace limpet
