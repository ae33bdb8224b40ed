// wasserstein_pairs.h: the exact Wasserstein distances (distance.h) of a group's components.
//
// Equal counts: the mean |difference| of the sorted samples. Different counts m and n: the integral
// of |Q_a(u) - Q_b(u)| over u in [0, 1]; both quantile functions are constant between neighbouring
// multiples of 1/m and 1/n, whatever the samples, so it is a weighted sum of m + n - 1 terms or
// fewer.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/detect/kernels/all_pairs.h"
#include "diagnoser/detect/kernels/panels.h"
#include "diagnoser/series/sample_set.h"

namespace limpet {

class WassersteinPairs final : public Pairs {
 public:
  // The samples of each component must be ascending and at least one; `sorted` must outlive this.
  explicit WassersteinPairs(const SampleSet& sorted);

  [[nodiscard]] std::size_t Size() const override { return sorted_->size(); }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& Classes() const override {
    return classes_;
  }
  void Distances(std::size_t which_class, std::span<const std::size_t> who,
                 std::span<double> out) override;
  [[nodiscard]] double Divisor() const override;
  [[nodiscard]] std::vector<double> AllDegrees() override;
  [[nodiscard]] std::vector<double> ToPivot() override;

 private:
  void AgainstEqual(std::span<const double> rows, std::size_t count, std::size_t which_class,
                    std::span<double> out);
  void AgainstOther(std::span<const std::size_t> who, std::size_t which_class,
                    std::size_t columns_class, std::span<double> out);

  const SampleSet* sorted_;
  std::vector<std::vector<std::size_t>> classes_;  // by number of samples
  std::vector<Panels<double>> panels_;             // of each class
};

}  // namespace limpet
