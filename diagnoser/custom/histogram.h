// histogram.h: distributions of requests by classic buckets, and how far they are from each other.
//
// A distribution is what the buckets rose by in a window; within a bucket requests are taken to be
// spread evenly, and those above the last finite bound to lie on it. Views look at all requests or
// at the slowest tenth or hundredth of them: one request in a hundred that takes 20 times as long
// moves the mean by a fifth, and the mean of the slowest hundredth by a factor of four.
// Units:   bounds, means, distances and quantiles in the metric's unit.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/metrics/missing.h"

namespace limpet {

struct BucketCounts {
  std::vector<double> bounds;   // ascending, finite
  std::vector<double> at_most;  // requests of at most bounds[i]; ascending
  double total = 0;             // requests, those above all bounds included
};

// Returns the increases of cumulative buckets as counts. nullopt: there are fewer than two finite
// bounds, or a larger bucket rose by less than a smaller one, by more than pages that are read
// while requests complete explain: some bucket was reset alone.
[[nodiscard]] std::optional<BucketCounts> MakeCounts(std::span<const double> bounds,
                                                     std::span<const double> increases,
                                                     double total);

// Returns the numbers of those that can be compared with each other: those that have at least half
// of the bounds that most have, and two. An exporter of another version must not silence the rest.
[[nodiscard]] std::vector<std::size_t> FindComparable(std::span<const BucketCounts> counts);

// The bounds that all of them have.
[[nodiscard]] std::vector<double> CommonBounds(std::span<const BucketCounts* const> all);
// The share of requests of at most each of `bounds`, which must be some of the counts' own. `total`
// is over 0.
[[nodiscard]] std::vector<double> Shares(const BucketCounts& counts,
                                         std::span<const double> bounds);

// The slowest share `tail` of a distribution, as one of its own; 1: all of it.
[[nodiscard]] std::vector<double> TailShares(std::span<const double> shares, double tail);
[[nodiscard]] double MeanOf(std::span<const double> bounds, std::span<const double> shares);
// The 1-Wasserstein distance: the integral of |a - b| over the bounds.
[[nodiscard]] double DistanceOf(std::span<const double> bounds, std::span<const double> a,
                                std::span<const double> b);
// The median of all at each bound: a distribution, and of all the one with the least distances.
[[nodiscard]] std::vector<double> MedianShares(std::span<const std::vector<double>> all);

// The value that a share `q` of the requests does not exceed; the last bound where it lies above.
[[nodiscard]] double QuantileOf(std::span<const double> bounds, std::span<const double> shares,
                                double q);

struct NamedQuantile {
  double q = 0;
  std::string_view name;
};
// Those that evidence may name, from the middle outwards.
inline constexpr NamedQuantile kQuantiles[] = {
    {0.5, "p50"}, {0.9, "p90"}, {0.99, "p99"}, {0.999, "p99.9"}};

}  // namespace limpet
