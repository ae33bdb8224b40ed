#include "diagnoser/detect/profile/kmeans.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <utility>

namespace limpet {
namespace {

constexpr std::size_t kMaxRounds = 300;

// [0, 1) with 53 bits; the standard's distributions differ between libraries.
double Uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

double SquaredDistance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum;
}

void SetCentre(Points& centres, std::size_t which, std::span<const double> point) {
  std::copy(point.begin(), point.end(),
            centres.values.begin() + static_cast<std::ptrdiff_t>(which * centres.dimensions));
}

// Each next centre is a point, chosen with a probability that grows with the square of its distance
// to the nearest centre so far.
Points FirstCentres(const Points& points, std::size_t k, std::mt19937_64& random) {
  Points centres{.dimensions = points.dimensions,
                 .values = std::vector<double>(k * points.dimensions)};
  const auto n = points.size();
  auto chosen = std::min(n - 1, static_cast<std::size_t>(Uniform(random) * static_cast<double>(n)));
  SetCentre(centres, 0, points[chosen]);
  std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
  for (std::size_t centre = 1; centre < k; ++centre) {
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      nearest[i] = std::min(nearest[i], SquaredDistance(points[i], centres[centre - 1]));
      total += nearest[i];
    }
    // Rounding may leave a rest at the end of the walk: the last point then.
    double rest = Uniform(random) * total;
    chosen = n - 1;
    for (std::size_t i = 0; i < n; ++i) {
      rest -= nearest[i];
      if (rest < 0) {
        chosen = i;
        break;
      }
    }
    SetCentre(centres, centre, points[chosen]);
  }
  return centres;
}

// Gives every point to its nearest centre; whether any changed.
bool Assign(const Points& points, Clustering& clustering) {
  bool changed = false;
  const auto k = clustering.centres.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t centre = 0; centre < k; ++centre) {
      const double distance = SquaredDistance(points[i], clustering.centres[centre]);
      if (distance < least) {
        least = distance;
        best = centre;
      }
    }
    changed = changed || clustering.labels[i] != best;
    clustering.labels[i] = best;
  }
  return changed;
}

std::size_t FarthestPoint(const Points& points, const Clustering& clustering) {
  std::size_t farthest = 0;
  double most = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double distance = SquaredDistance(points[i], clustering.centres[clustering.labels[i]]);
    if (distance > most) {
      most = distance;
      farthest = i;
    }
  }
  return farthest;
}

void MoveCentres(const Points& points, Clustering& clustering) {
  const auto k = clustering.centres.size();
  const auto size = points.dimensions;
  std::vector<double> sums(k * size, 0.0);
  std::vector<std::size_t> counts(k, 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto label = clustering.labels[i];
    ++counts[label];
    for (std::size_t d = 0; d < size; ++d) {
      sums[label * size + d] += points[i][d];
    }
  }
  for (std::size_t centre = 0; centre < k; ++centre) {
    for (std::size_t d = 0; d < size && counts[centre] > 0; ++d) {
      clustering.centres.values[centre * size + d] =
          sums[centre * size + d] / static_cast<double>(counts[centre]);
    }
  }
  // An empty centre would stay empty for ever. At the point that is explained worst it helps most.
  for (std::size_t centre = 0; centre < k; ++centre) {
    if (counts[centre] == 0) {
      const auto point = FarthestPoint(points, clustering);
      SetCentre(clustering.centres, centre, points[point]);
      clustering.labels[point] = centre;
    }
  }
}

double Distortion(const Points& points, const Clustering& clustering) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto centre = clustering.centres[clustering.labels[i]];
    for (std::size_t d = 0; d < points.dimensions; ++d) {
      sum += std::abs(points[i][d] - centre[d]);
    }
  }
  return sum;
}

}  // namespace

Clustering KMeans(const Points& points, std::size_t k, std::uint64_t seed, std::size_t starts) {
  std::mt19937_64 random(seed);
  Clustering best;
  // Each start ends in a local minimum; the generator goes on, so that they differ.
  for (std::size_t start = 0; start < starts; ++start) {
    Clustering one{.centres = FirstCentres(points, k, random),
                   .labels = std::vector<std::size_t>(points.size(), k),
                   .distortion = 0};
    for (std::size_t round = 0; round < kMaxRounds && Assign(points, one); ++round) {
      MoveCentres(points, one);
    }
    one.distortion = Distortion(points, one);
    if (start == 0 || one.distortion < best.distortion) {
      best = std::move(one);
    }
  }
  return best;
}

}  // namespace limpet
