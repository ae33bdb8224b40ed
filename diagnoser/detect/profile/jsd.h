// jsd.h: how far apart two hosts' histograms of labels are, and a host from most of its peers.
//
//   d(P,Q) = sqrt(JSD), JSD = (sum p log2(p/m) + sum q log2(q/m)) / 2, m = (p + q) / 2, 0 log 0 = 0
// computed as sum m f(delta) / 2 with delta = (p-q)/(p+q) and
// f(x) = (1+x) log2(1+x) + (1-x) log2(1-x): no term is negative, so equal histograms give 0 and
// close ones keep their digits. d is a metric, 0 to 1.
//
// All pairs: delta^2 / ln 2 <= f <= 2 delta^2, so the triangular discrimination
// sum (p-q)^2/(p+q) brackets the JSD within a factor of 1.39 without a logarithm; only the few
// pairs that the bracket leaves open are computed in full.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace limpet {

// Returns the distance of two normalised histograms of the same size.
[[nodiscard]] double JsdDistance(std::span<const double> p, std::span<const double> q);

// Normalised histograms of n hosts, bin by bin: share[bin * n + host].
struct HistogramTable {
  std::size_t bins = 0;
  std::size_t hosts = 0;
  std::vector<double> share;
  // True if the host has seen enough to be compared; a pair of which one has not is 0 apart.
  std::vector<char> ready;

  [[nodiscard]] std::vector<double> Of(std::size_t host) const;
};

// Returns for each host the m-th largest of its distances to the n-1 others, m = (n-1)/2 + 1
// rounded down: over the threshold exactly when more than (n-1)/2 of them are. 0 with fewer than 2
// hosts.
[[nodiscard]] std::vector<double> MajorityDistances(const HistogramTable& table);

}  // namespace limpet
