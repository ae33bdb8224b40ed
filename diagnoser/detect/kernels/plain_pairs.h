// plain_pairs.h: distances that are a sum over rows of equal length: cumulative histograms as
// doubles, and the symmetric Kullback-Leibler divergence.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/detect/kernels/all_pairs.h"
#include "diagnoser/detect/kernels/panels.h"

namespace limpet {

class PlainPairs final : public Pairs {
 public:
  enum class Kind {
    kAbsolute,    // sum |a_k - b_k|
    kDivergence,  // 1/2 sum (P - P')(ln P - ln P'); rows hold P and ln P of each bin, interleaved
  };
  // `rows` has n * depth elements.
  PlainPairs(Kind kind, std::vector<double> rows, std::size_t depth);

  [[nodiscard]] std::size_t Size() const override { return classes_.front().size(); }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& Classes() const override {
    return classes_;
  }
  void Distances(std::size_t which_class, std::span<const std::size_t> who,
                 std::span<double> out) override;
  [[nodiscard]] double Divisor() const override { return kind_ == Kind::kDivergence ? 2 : 1; }
  [[nodiscard]] std::vector<double> ToPivot() override;

 private:
  void Against(std::span<const double> rows, std::size_t count, std::span<double> out);

  Kind kind_;
  std::size_t depth_;
  std::vector<double> rows_;
  std::vector<std::vector<std::size_t>> classes_;  // one, of all
  Panels<double> panels_;
};

}  // namespace limpet
