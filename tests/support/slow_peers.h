// slow_peers.h: the degrees of a group straight from the formulas, to check the fast ones with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace limpet::testing {

using SlowSamples = std::vector<std::vector<double>>;

// The m-th largest of i's distances to the others, m = floor((n-1)/2) + 1. `distance` is symmetric.
inline std::vector<double> SlowDegrees(
    std::size_t n, const std::function<double(std::size_t, std::size_t)>& distance) {
  std::vector<std::vector<double>> distances(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double both = distance(i, j);
      distances[i].push_back(both);
      distances[j].push_back(both);
    }
  }
  std::vector<double> degrees;
  for (auto& own : distances) {
    std::sort(own.rbegin(), own.rend());
    degrees.push_back(own[(n - 1) / 2]);
  }
  return degrees;
}

inline std::vector<double> SlowHistogram(const std::vector<double>& samples, double lo, double hi,
                                         std::size_t bins) {
  std::vector<double> counts(bins);
  for (const double x : samples) {
    const double place = std::floor((x - lo) * static_cast<double>(bins) / (hi - lo) + 1e-9);
    ++counts[std::min(bins - 1, static_cast<std::size_t>(place))];
  }
  return counts;
}

// sum |F_a - F_b|.
inline double SlowCdf(const std::vector<double>& a, const std::vector<double>& b, double lo,
                      double hi, std::size_t bins) {
  const auto p = SlowHistogram(a, lo, hi, bins);
  const auto q = SlowHistogram(b, lo, hi, bins);
  double f = 0;
  double g = 0;
  double sum = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    f += p[bin];
    g += q[bin];
    sum += std::abs(f / static_cast<double>(a.size()) - g / static_cast<double>(b.size()));
  }
  return sum;
}

// Half of the divergences in both directions.
inline double SlowKl(const std::vector<double>& a, const std::vector<double>& b, double lo,
                     double hi, std::size_t bins) {
  const auto p = SlowHistogram(a, lo, hi, bins);
  const auto q = SlowHistogram(b, lo, hi, bins);
  const double half = static_cast<double>(bins) / 2;
  double sum = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const double x = (p[bin] + 0.5) / (static_cast<double>(a.size()) + half);
    const double y = (q[bin] + 0.5) / (static_cast<double>(b.size()) + half);
    sum += (x * std::log(x / y) + y * std::log(y / x)) / 2;
  }
  return std::max(0.0, sum);
}

// The integral of |F_a - F_b|, over all places where either steps. Any order.
inline double SlowWasserstein(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  auto places = a;
  places.insert(places.end(), b.begin(), b.end());
  std::sort(places.begin(), places.end());
  const auto below = [](const std::vector<double>& values, double x) {
    const auto count = std::upper_bound(values.begin(), values.end(), x) - values.begin();
    return static_cast<double>(count) / static_cast<double>(values.size());
  };
  double sum = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    sum +=
        std::abs(below(a, places[i - 1]) - below(b, places[i - 1])) * (places[i] - places[i - 1]);
  }
  return sum;
}

}  // namespace limpet::testing
