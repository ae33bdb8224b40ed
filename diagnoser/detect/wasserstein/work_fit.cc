#include "diagnoser/detect/wasserstein/work_fit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr double kMinBusy = 1e-3;  // s/s; below it a disk has done nothing worth a fit
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

std::vector<WorkFit::Model> WorkFit::Fit(const Sums& others) {
  const auto& [nn, nb, bb, ny, by, y] = others;
  if (!(nn > 0) || !(bb > 0)) {
    return {};
  }
  const Model by_requests{.a = ny / nn, .b = 0};
  const Model by_bytes{.a = 0, .b = by / bb};
  const double determinant = nn * bb - nb * nb;
  if (!(determinant > kMinDeterminant * nn * bb)) {
    return {by_requests, by_bytes};
  }
  const Model both{.a = (bb * ny - nb * by) / determinant, .b = (nn * by - nb * ny) / determinant};
  if (both.a < 0) {
    return {by_bytes};
  }
  return {both.b < 0 ? by_requests : both};
}

std::optional<double> WorkFit::Quotient(const Model& model, const WorkStep& work) {
  const double expected = model.a * work.requests + model.b * work.bytes;
  if (work.seconds < kMinBusy || !(expected > 0)) {
    return std::nullopt;
  }
  return work.seconds / expected;
}

std::optional<double> WorkFit::Slowdown(std::size_t place, std::span<const WorkStep> own) const {
  std::optional<double> least;
  for (const auto& model : Fit(SumsOfOthers(place))) {
    std::vector<double> others;
    for (std::size_t i = 0; i < means_.size(); ++i) {
      if (const auto quotient = i == place ? std::nullopt : Quotient(model, means_[i])) {
        others.push_back(*quotient);
      }
    }
    std::optional<double> largest;
    for (const auto& work : own) {
      largest = std::max(largest, Quotient(model, work));
    }
    if (!largest || others.size() < kMinOthers) {
      return std::nullopt;
    }
    const double slowdown = *largest / Median(std::move(others));
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

std::vector<std::optional<double>> WorkFit::Misfits() const {
  std::vector<std::optional<double>> own;
  own.reserve(sums_.size());
  for (const auto& sums : sums_) {
    own.push_back(OwnMisfit(sums));
  }
  std::vector<std::optional<double>> of_others;
  of_others.reserve(own.size());
  for (std::size_t place = 0; place < own.size(); ++place) {
    std::vector<double> others;
    others.reserve(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (i != place && own[i]) {
        others.push_back(*own[i]);
      }
    }
    of_others.push_back(others.size() < kMinOthers ? std::nullopt
                                                   : std::optional(Median(std::move(others))));
  }
  return of_others;
}

bool WorkFit::IsBusiest(std::size_t place) const {
  const auto& own = means_[place];
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (i != place && (means_[i].requests >= own.requests || means_[i].bytes >= own.bytes)) {
      return false;
    }
  }
  return true;
}

}  // namespace limpet
