#include "diagnoser/detect/wasserstein/distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace limpet {
namespace {

double EqualCounts(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(a[i] - b[i]);
  }
  return sum / static_cast<double>(a.size());
}

}  // namespace

// With different counts: walk both step functions from left to right; between two neighbouring
// values F_a = i/m and F_b = j/n are constant.
double WassersteinDistance(std::span<const double> a, std::span<const double> b) {
  if (a.size() == b.size()) {
    return EqualCounts(a, b);
  }
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  double at = std::min(a.front(), b.front());
  double sum = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const double next = from_a ? a[i] : b[j];
    const double apart = static_cast<double>(i) / m - static_cast<double>(j) / n;
    sum += std::abs(apart) * (next - at);
    at = next;
    ++(from_a ? i : j);
  }
  return sum;
}

}  // namespace limpet
