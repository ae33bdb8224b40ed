// all_pairs.h: the degree of every component of a group, or of some, from all their distances.
//
// Distances are made a block of rows at a time and only their m-th largest is kept, so memory grows
// with the number of components and not with its square.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/detect/kernels/panels.h"

namespace limpet {

inline constexpr std::size_t kBlock = 32;  // rows at a time

// One kind of distance between the components of one window. Implementations: plain_pairs.h,
// cdf_pairs.h, wasserstein_pairs.h.
class Pairs {
 public:
  Pairs() = default;
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;
  virtual ~Pairs() = default;

  [[nodiscard]] virtual std::size_t Size() const = 0;
  // Components that are compared at once (they have the same number of samples). Every one is in
  // exactly one class, ascending.
  [[nodiscard]] virtual const std::vector<std::vector<std::size_t>>& Classes() const = 0;
  // Computes those of at most kBlock components of one class to all: row r begins at out[r *
  // Stride()]; 0 to itself. All are to be divided by Divisor(), which need not be done before the
  // largest is chosen.
  virtual void Distances(std::size_t which_class, std::span<const std::size_t> who,
                         std::span<double> out) = 0;
  [[nodiscard]] std::size_t Stride() const { return PaddedToPanels(Size()); }
  [[nodiscard]] virtual double Divisor() const { return 1; }
  // The degrees of all; overridden where symmetry can be used.
  [[nodiscard]] virtual std::vector<double> AllDegrees();
  // Distance (divided already) of every component to one point that lies in the middle of the
  // largest class. Empty for a distance without triangle inequality.
  [[nodiscard]] virtual std::vector<double> ToPivot() = 0;
};

// m = floor((n-1)/2) + 1: s is the m-th largest of a component's n-1 distances, n >= 2, so s > T
// exactly when more than half of them exceed T [Kasick10 §10.1].
[[nodiscard]] constexpr std::size_t MajorityRank(std::size_t n) { return (n - 1) / 2 + 1; }

// s of the components `who` (ascending), in their order. pairs.Size() >= 2.
[[nodiscard]] std::vector<double> SomeDegrees(Pairs& pairs, std::span<const std::size_t> who);

}  // namespace limpet
