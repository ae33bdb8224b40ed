// distance.h: how far apart two components are in one window; all_pairs.h has them for a group.
//
//   kl   1/2 sum (P_i - P_j)(ln P_i - ln P_j), nats (000 §10.1)
//   cdf  sum |F_i - F_j|, bins (002 §4.2)
//   w1   the integral of |F_i - F_j| over x, in the unit of the samples
//
// All are symmetric and 0 between equals; cdf and w1 obey the triangle inequality, kl does not.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace limpet {

// A histogram made ready for KL: P(b) = (c(b) + 1/2) / (m + B/2) and ln P(b), one after the other
// for each bin. The halves keep an empty bin from making the divergence infinite.
[[nodiscard]] std::vector<double> KlRow(std::span<const double> counts);

// The cumulative histogram in [0, 1].
[[nodiscard]] std::vector<double> CumulativeOf(std::span<const double> counts);

// What it takes to move one distribution onto the other, exact (1-Wasserstein). Both ascending and
// not empty; the counts may differ.
[[nodiscard]] double WassersteinOfSorted(std::span<const double> a, std::span<const double> b);

}  // namespace limpet
