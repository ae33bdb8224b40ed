// quotient_median.h: the median of what disks take over what a model says that they should, of all
// but one, for many models that are nearly the same.
//
// A model without disk i differs from one without disk j in what one disk weighs. So the quotients
// y / (a n + b B) of all models stand in nearly the same order: with (a0, b0) in the place of (a,
// b) each changes by a factor between min(a0/a, b0/b) and max(a0/a, b0/b). They are sorted once;
// for each model only those are computed that these factors allow to be in the middle. The result
// is that of all of them, to the bit. n log n for n medians of models that are near each other.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace limpet {

// The time that a disk takes in one step, and for what; all of them a second.
struct WorkStep {
  double seconds = 0;
  double requests = 0;
  double bytes = 0;
};

// seconds = a * requests + b * bytes.
struct WorkModel {
  double a = 0;
  double b = 0;
};

inline constexpr double kMinBusy = 1e-3;  // s/s; below it a disk has done nothing worth a fit

// Returns seconds over those of the model; nullopt without work, or where the model knows of none.
[[nodiscard]] std::optional<double> Quotient(const WorkModel& model, const WorkStep& work);

class QuotientMedians {
 public:
  void Add(const WorkStep& mean);

  // Returns the median quotient of all that were added but `place`; nullopt: fewer than two have
  // one.
  [[nodiscard]] std::optional<double> OfOthers(std::size_t place, const WorkModel& model);

 private:
  // Quotients by the first model of its kind that was asked for.
  struct Order {
    WorkModel model;
    std::vector<std::pair<double, std::size_t>> sorted;  // quotient, place
    std::vector<std::size_t> rank;                       // by place; the size: has no quotient
  };
  [[nodiscard]] Order Sort(const WorkModel& model) const;
  [[nodiscard]] std::optional<double> OfAllOthers(std::size_t place, const WorkModel& model) const;

  std::vector<WorkStep> means_;
  // Orders by which of a and b are there: of other kinds, other disks have quotients.
  std::array<std::optional<Order>, 4> orders_;
};

}  // namespace limpet
