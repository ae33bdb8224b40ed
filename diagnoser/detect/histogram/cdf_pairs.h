// cdf_pairs.h: distances of cumulative histograms, sum |F_i - F_j| [Kasick12 §4.2], over bytes.
//
// A component of m <= 255 samples has its cumulative counts in bytes, and with equal m the distance
// is an integer over m: sum |a - b| = 2 sum max(a, b) - sum a - sum b. Components with different
// counts are compared as doubles. Many bins mean that few far values make the range wide, so most
// rows rise from 0 to m within a small part of it; only there are they compared.
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "diagnoser/detect/histogram/bins.h"
#include "diagnoser/detect/kernels/all_pairs.h"
#include "diagnoser/detect/kernels/panels.h"
#include "diagnoser/series/sample_set.h"

namespace limpet {

class CdfPairs final : public Pairs {
 public:
  static constexpr std::size_t kMaxSamples = 255;  // of a component; with more: PlainPairs
  CdfPairs(const SampleSet& samples, const BinRange& bins);

  [[nodiscard]] std::size_t Size() const override { return counts_.size(); }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& Classes() const override {
    return classes_;
  }
  void Distances(std::size_t which_class, std::span<const std::size_t> who,
                 std::span<double> out) override;
  // Compares all: with equal counts each pair is compared once, while the matrix fits into 128 MiB.
  [[nodiscard]] std::vector<double> AllDegrees() override;
  [[nodiscard]] double Divisor() const override;
  [[nodiscard]] std::vector<double> ToPivot() override;

  // Cumulative counts of component i, one byte a bin, for measurements.
  [[nodiscard]] std::span<const std::uint8_t> Bytes(std::size_t i) const;

 private:
  // Words that are not all 0 nor all m: from `first` up to `end`.
  struct Rise {
    std::size_t first = std::numeric_limits<std::size_t>::max();
    std::size_t end = 0;
  };
  [[nodiscard]] static Rise Both(Rise a, Rise b) {
    return {.first = std::min(a.first, b.first), .end = std::max(a.end, b.end)};
  }
  [[nodiscard]] Rise FindRise(std::span<const std::uint64_t> row, std::uint8_t count) const;
  // sums[row][column] of the maxima where any of them rises; returns that of the words above it.
  [[nodiscard]] std::uint64_t SumMaxima(std::span<const std::uint64_t> rows, std::size_t count,
                                        Rise rise_of_rows, std::size_t which_class,
                                        std::size_t panel, std::size_t columns,
                                        std::span<std::uint64_t> sums) const;
  void AgainstEqual(std::span<const std::uint64_t> rows, std::size_t count, std::size_t which_class,
                    std::span<double> out);
  void AgainstOther(std::span<const double> rows, std::size_t count, std::size_t columns_class,
                    std::span<double> out);
  [[nodiscard]] std::vector<double> SymmetricDegrees();

  std::size_t bins_;
  std::size_t words_;                              // of eight bins a row
  std::vector<std::uint64_t> rows_;                // n * words_
  std::vector<std::uint8_t> counts_;               // m of each component
  std::vector<std::uint64_t> totals_;              // sum of each row's bytes
  std::vector<std::vector<std::size_t>> classes_;  // by m
  std::vector<Panels<std::uint64_t>> panels_;      // of each class
  std::vector<std::vector<Rise>> rises_;           // of each class's panels
};

}  // namespace limpet
