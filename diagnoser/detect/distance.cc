#include "diagnoser/detect/distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

KlHistogram::KlHistogram(std::span<const double> counts) : p(counts.begin(), counts.end()) {
  const double total =
      std::accumulate(counts.begin(), counts.end(), 0.0) + static_cast<double>(counts.size()) / 2;
  log_p.reserve(p.size());
  for (double& bin : p) {
    bin = (bin + 0.5) / total;
    log_p.push_back(std::log(bin));
  }
}

std::vector<double> KlRow(const KlHistogram& histogram) {
  std::vector<double> row;
  row.reserve(2 * histogram.p.size());
  for (std::size_t bin = 0; bin < histogram.p.size(); ++bin) {
    row.push_back(histogram.p[bin]);
    row.push_back(histogram.log_p[bin]);
  }
  return row;
}

double KlDistance(const KlHistogram& a, const KlHistogram& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.p.size(); ++i) {
    sum += (a.p[i] - b.p[i]) * (a.log_p[i] - b.log_p[i]);
  }
  return std::max(0.0, sum / 2);
}

std::vector<double> CumulativeOf(std::span<const double> counts) {
  std::vector<double> cumulative(counts.size());
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  double below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    below += counts[i];
    cumulative[i] = below / total;
  }
  return cumulative;
}

double CdfDistance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(a[i] - b[i]);
  }
  return sum;
}

// With different counts: walk both step functions from left to right; between two neighbouring
// values F_a = i/m and F_b = j/n are constant.
double WassersteinOfSorted(std::span<const double> a, std::span<const double> b) {
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
