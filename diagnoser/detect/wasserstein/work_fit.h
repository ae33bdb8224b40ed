// work_fit.h: seconds = a * requests + b * bytes, fitted to all disks of a group but one.
//
// a, b >= 0, by least squares with weights 1 / seconds. Where the requests are all of one size
// nobody can tell a from b; then there are two models, by requests and by bytes.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/detect/wasserstein/quotient_median.h"

namespace limpet {

class WorkFit {
 public:
  // The next disk: `mean` is what it is judged by, `steps` what others are; empty: nobody is.
  void Add(std::span<const WorkStep> steps, const WorkStep& mean);

  // Returns what disk `place` takes over what it would have taken its peers for the same work, over
  // the median of the others' same quotient: 1: as fast as its peers. Of two models the smaller
  // one. nullopt: fewer than three with any work to compare it with.
  [[nodiscard]] std::optional<double> Slowdown(std::size_t place) {
    return Slowdown(place, {&means_[place], 1});
  }
  // The same, with the largest quotient of `own` in the place of that of its mean.
  [[nodiscard]] std::optional<double> Slowdown(std::size_t place, std::span<const WorkStep> own);
  // Returns for each place how far the others' seconds are from what follows from their work, each
  // disk by a model of its own: mean square of the relative errors, weighted with the seconds; the
  // median disk's. nullopt: fewer than two of them have done anything.
  [[nodiscard]] std::vector<std::optional<double>> Misfits() const;
  // Returns whether it serves a twentieth more requests and bytes than any other: so much that what
  // it should take is beyond what its peers show.
  [[nodiscard]] bool IsBusiest(std::size_t place) const;

 private:
  // Parts of the normal equations.
  struct Sums {
    double nn = 0;
    double nb = 0;
    double bb = 0;
    double ny = 0;
    double by = 0;
    double y = 0;
  };
  // The largest of all but one.
  class Largest {
   public:
    static constexpr double kMore = 1.05;

    void Add(double value);
    // Returns whether `value`, one of those added, is that much larger than all others.
    [[nodiscard]] bool IsAlone(double value) const {
      return value == largest_ && kMore * second_ < value;
    }

   private:
    double largest_ = -std::numeric_limits<double>::infinity();
    double second_ = largest_;
  };
  [[nodiscard]] static Sums AddUp(std::span<const WorkStep> steps);
  [[nodiscard]] Sums SumsOfOthers(std::size_t left_out) const;
  [[nodiscard]] static std::optional<double> OwnMisfit(const Sums& own);
  // One, or two when a cannot be told from b.
  [[nodiscard]] static std::vector<WorkModel> Fit(const Sums& others);

  std::vector<WorkStep> means_;  // by disk
  std::vector<Sums> sums_;
  Sums total_;
  QuotientMedians quotients_;
  Largest requests_;
  Largest bytes_;
};

}  // namespace limpet
