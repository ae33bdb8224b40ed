// work_fit.h: seconds = a * requests + b * bytes, fitted to all disks of a group but one.
//
// a, b >= 0, by least squares with weights 1 / seconds. Where the requests are all of one size
// nobody can tell a from b; then there are two models, by requests and by bytes.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace limpet {

// The time that a disk takes in one step, and for what; all of them a second.
struct WorkStep {
  double seconds = 0;
  double requests = 0;
  double bytes = 0;
};

class WorkFit {
 public:
  // The next disk: `mean` is what it is judged by, `steps` what others are; empty: nobody is.
  void Add(std::span<const WorkStep> steps, const WorkStep& mean);

  // Returns what disk `place` takes over what it would have taken its peers for the same work, over
  // the median of the others' same quotient: 1: as fast as its peers. Of two models the smaller
  // one. nullopt: fewer than three with any work to compare it with.
  [[nodiscard]] std::optional<double> Slowdown(std::size_t place) const {
    return Slowdown(place, {&means_[place], 1});
  }
  // The same, with the largest quotient of `own` in the place of that of its mean.
  [[nodiscard]] std::optional<double> Slowdown(std::size_t place,
                                               std::span<const WorkStep> own) const;
  // Returns for each place how far the others' seconds are from what follows from their work, each
  // disk by a model of its own: mean square of the relative errors, weighted with the seconds; the
  // median disk's. nullopt: fewer than two of them have done anything.
  [[nodiscard]] std::vector<std::optional<double>> Misfits() const;
  // Returns whether it serves more requests and more bytes than any other.
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
  struct Model {
    double a = 0;
    double b = 0;
  };
  [[nodiscard]] static Sums AddUp(std::span<const WorkStep> steps);
  [[nodiscard]] Sums SumsOfOthers(std::size_t left_out) const;
  [[nodiscard]] static std::optional<double> OwnMisfit(const Sums& own);
  // One, or two when a cannot be told from b.
  [[nodiscard]] static std::vector<Model> Fit(const Sums& others);
  [[nodiscard]] static std::optional<double> Quotient(const Model& model, const WorkStep& work);

  std::vector<WorkStep> means_;  // by disk
  std::vector<Sums> sums_;
  Sums total_;
};

}  // namespace limpet
