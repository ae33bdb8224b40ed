// degree.h: from pairwise distances to one number a component (000 §10.1).
//
// s_i is the m-th largest of i's distances to the others, m = floor((n-1)/2) + 1, so that
// s_i > T exactly when more than half of its pairwise distances exceed T.
// Threads: pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "diagnoser/detect/direction.h"

namespace limpet {

// The m-th largest of one component's n-1 distances; the order of `distances` is lost. n >= 2.
[[nodiscard]] inline double MajorityDegree(std::span<double> distances) {
  const std::size_t m = distances.size() / 2 + 1;
  const auto place = distances.begin() + static_cast<std::ptrdiff_t>(m - 1);
  std::nth_element(distances.begin(), place, distances.end(), std::greater<>());
  return *place;
}

// s of every component. `distance(i, j)` must be symmetric; it is asked once a pair while the
// matrix fits (n <= 2048: 32 MB), else row by row.
template <class DistanceFunction>
[[nodiscard]] std::vector<double> DegreesOf(std::size_t n, const DistanceFunction& distance) {
  constexpr std::size_t kMostInMatrix = 2048;
  std::vector<double> degrees(n);
  if (n < 2) {
    return degrees;
  }
  const std::size_t others = n - 1;
  if (n <= kMostInMatrix) {
    std::vector<double> rows(n * others);  // row i without its diagonal
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const double d = distance(i, j);
        rows[i * others + j - 1] = d;
        rows[j * others + i] = d;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      degrees[i] = MajorityDegree(std::span(rows).subspan(i * others, others));
    }
    return degrees;
  }
  std::vector<double> row(others);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0, at = 0; j < n; ++j) {
      if (j != i) {
        row[at++] = distance(i, j);
      }
    }
    degrees[i] = MajorityDegree(row);
  }
  return degrees;
}

// Sign of mean - median, kNone when they are near (stats.h).
[[nodiscard]] Direction DirectionOf(double mean, double median_of_means);

}  // namespace limpet
