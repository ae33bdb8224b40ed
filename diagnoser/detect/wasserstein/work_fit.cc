#include "diagnoser/detect/wasserstein/work_fit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

// Least share of the sums of squares that the sizes' variation must leave: sizes that vary by a
// tenth.
constexpr double kMinDeterminant = 0.01;
constexpr std::size_t kMinOthers = 2;

}  // namespace

WorkFit::Sums WorkFit::AddUp(std::span<const WorkStep> steps) {
  Sums sums;
  for (const auto& [y, n, bytes] : steps) {
    if (y < kMinBusy) {
      continue;
    }
    sums.nn += n * n / y;
    sums.nb += n * bytes / y;
    sums.bb += bytes * bytes / y;
    sums.ny += n;
    sums.by += bytes;
    sums.y += y;
  }
  return sums;
}

void WorkFit::Add(std::span<const WorkStep> steps, const WorkStep& mean) {
  means_.push_back(mean);
  quotients_.Add(mean);
  requests_.Add(mean.requests);
  bytes_.Add(mean.bytes);
  const auto& sums = sums_.emplace_back(AddUp(steps));
  total_.nn += sums.nn;
  total_.nb += sums.nb;
  total_.bb += sums.bb;
  total_.ny += sums.ny;
  total_.by += sums.by;
  total_.y += sums.y;
}

WorkFit::Sums WorkFit::SumsOfOthers(std::size_t left_out) const {
  const auto& own = sums_[left_out];
  return {.nn = total_.nn - own.nn,
          .nb = total_.nb - own.nb,
          .bb = total_.bb - own.bb,
          .ny = total_.ny - own.ny,
          .by = total_.by - own.by,
          .y = total_.y - own.y};
}

std::vector<WorkModel> WorkFit::Fit(const Sums& others) {
  const auto& [nn, nb, bb, ny, by, y] = others;
  if (!(nn > 0) || !(bb > 0)) {
    return {};
  }
  const WorkModel by_requests{.a = ny / nn, .b = 0};
  const WorkModel by_bytes{.a = 0, .b = by / bb};
  const double determinant = nn * bb - nb * nb;
  if (!(determinant > kMinDeterminant * nn * bb)) {
    return {by_requests, by_bytes};
  }
  const WorkModel both{.a = (bb * ny - nb * by) / determinant,
                       .b = (nn * by - nb * ny) / determinant};
  if (both.a < 0) {
    return {by_bytes};
  }
  return {both.b < 0 ? by_requests : both};
}

std::optional<double> WorkFit::Slowdown(std::size_t place, std::span<const WorkStep> own) {
  std::optional<double> least;
  for (const auto& model : Fit(SumsOfOthers(place))) {
    std::optional<double> largest;
    for (const auto& work : own) {
      largest = std::max(largest, Quotient(model, work));
    }
    const auto median = largest ? quotients_.OfOthers(place, model) : std::nullopt;
    if (!median) {
      return std::nullopt;
    }
    const double slowdown = *largest / *median;
    least = least ? std::min(*least, slowdown) : slowdown;
  }
  return least;
}

// The sum of (y - m)^2 / y with m = a n + b B, multiplied out: what it is made of is there already.
std::optional<double> WorkFit::OwnMisfit(const Sums& own) {
  std::optional<double> least;
  for (const auto& [a, b] : Fit(own)) {
    const double square = own.y - 2 * (a * own.ny + b * own.by) + a * a * own.nn +
                          2 * a * b * own.nb + b * b * own.bb;
    const double misfit = std::max(0.0, square / own.y);
    least = least ? std::min(*least, misfit) : misfit;
  }
  return least;
}

// The median of all but one follows from its rank among all of them.
std::vector<std::optional<double>> WorkFit::Misfits() const {
  std::vector<std::optional<double>> own;
  own.reserve(sums_.size());
  std::vector<double> sorted;
  for (const auto& sums : sums_) {
    own.push_back(OwnMisfit(sums));
    if (own.back()) {
      sorted.push_back(*own.back());
    }
  }
  std::ranges::sort(sorted);
  std::vector<std::optional<double>> of_others;
  of_others.reserve(own.size());
  for (const auto& misfit : own) {
    const auto rank = misfit ? std::ranges::lower_bound(sorted, *misfit) : sorted.end();
    const auto without = static_cast<std::size_t>(rank - sorted.begin());
    const auto others = sorted.size() - (misfit ? 1 : 0);
    const auto at = [&](std::size_t k) { return sorted[k < without ? k : k + 1]; };
    of_others.push_back(others < kMinOthers ? std::nullopt
                        : others % 2 == 1
                            ? std::optional(at(others / 2))
                            : std::optional(at(others / 2 - 1) / 2 + at(others / 2) / 2));
  }
  return of_others;
}

void WorkFit::Largest::Add(double value) {
  second_ = std::max(second_, std::min(value, largest_));
  largest_ = std::max(largest_, value);
}

bool WorkFit::IsBusiest(std::size_t place) const {
  return requests_.IsAlone(means_[place].requests) && bytes_.IsAlone(means_[place].bytes);
}

}  // namespace limpet
