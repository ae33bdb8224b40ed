// kmeans.h: k-means from k-means++ starts, the beginning of the mixture's training [Pan08 Figure
// 6].
//
// Assignment by Euclidean distance, centres are means; of several starts the one with the least
// *distortion* wins: the sum over all points and dimensions of |x - centre|.
// Random: std::mt19937_64 of the seed, start i of seed s is the same everywhere.
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "diagnoser/detect/profile/points.h"

namespace limpet {

struct Clustering {
  Points centres;
  std::vector<std::size_t> labels;  // of the points, from 0
  double distortion = 0;
};

// `k` from 1; with fewer different points than that some centres coincide. `points` is not empty.
// A cluster that loses its last point begins again at the point farthest from its centre.
[[nodiscard]] Clustering KMeans(const Points& points, std::size_t k, std::uint64_t seed,
                                std::size_t starts = 5);

}  // namespace limpet
