#include "diagnoser/detect/histogram/distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limpet {
KlHistogram::KlHistogram(std::span<const double> counts) : p(counts.begin(), counts.end()) {
  const double total =
      std::accumulate(counts.begin(), counts.end(), 0.0) + static_cast<double>(counts.size()) / 2;
  log_p.reserve(p.size());
  for (double& bin : p) {
    // Half a sample a bin (Krichevsky and Trofimov): no logarithm of 0.
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
  // No term is negative, but rounding may make the sum of tiny ones so.
  return std::max(0.0, sum / 2);
}

std::vector<double> Cumulate(std::span<const double> counts) {
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

}  // namespace limpet
