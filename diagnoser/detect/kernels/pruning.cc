#include "diagnoser/detect/kernels/pruning.h"

#include <limits>

namespace limpet {

std::vector<double> UpperBounds(std::vector<double> to_pivot, std::size_t terms) {
  const std::size_t n = to_pivot.size();
  auto sorted = to_pivot;
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(n - MajorityRank(n));
  std::nth_element(sorted.begin(), place, sorted.end());
  // Each term and each addition is good to half an epsilon, here and in the exact distance.
  const double rounding =
      1 + 4 * static_cast<double>(terms + 4) * std::numeric_limits<double>::epsilon();
  for (double& bound : to_pivot) {
    bound = (bound + *place) * rounding;
  }
  return to_pivot;
}

}  // namespace limpet
