// distance.h: how far apart the histograms of two components are; all_pairs.h has it for a group.
//
// Both are symmetric and 0 between equals; cdf obeys the triangle inequality, kl does not.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace limpet {

// A histogram made ready for KL: P(b) = (c(b) + 1/2) / (m + B/2) and ln P(b). The halves keep an
// empty bin from making the divergence infinite.
struct KlHistogram {
  explicit KlHistogram(std::span<const double> counts);
  std::vector<double> p;
  std::vector<double> log_p;
};

// P and ln P of each bin, one after the other (plain_pairs.h).
[[nodiscard]] std::vector<double> KlRow(const KlHistogram& histogram);

// 1/2 sum (P_i - P_j)(ln P_i - ln P_j), nats [Kasick10 §10.1]. Same number of bins.
[[nodiscard]] double KlDistance(const KlHistogram& a, const KlHistogram& b);

// The cumulative histogram in [0, 1].
[[nodiscard]] std::vector<double> Cumulate(std::span<const double> counts);

// sum |F_i - F_j|, in bins [Kasick12 §4.2]. Same number of bins.
[[nodiscard]] double CdfDistance(std::span<const double> a, std::span<const double> b);

}  // namespace limpet
