#include "diagnoser/detect/wasserstein/quotient_median.h"

#include <algorithm>
#include <cmath>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kMinQuotients = 2;
// Far more than the few roundings of a quotient and of its bounds.
constexpr double kQuotientRounding = 1e-12;
constexpr double kExtreme = 1e100;  // beyond it products may overflow or vanish

std::size_t KindOf(const WorkModel& model) {
  return (model.a > 0 ? 2U : 0U) + (model.b > 0 ? 1U : 0U);
}

// The quotients of one model lie between `least` and `most` times those of another.
struct Factors {
  double least;
  double most;
  [[nodiscard]] bool AreUsable() const { return least > 1 / kExtreme && most < kExtreme; }
};

Factors FactorsBetween(const WorkModel& base, const WorkModel& model) {
  const double a = base.a / model.a;
  const double b = base.b / model.b;
  const bool has_a = model.a > 0;
  const bool has_b = model.b > 0;
  const double least = has_a && has_b ? std::min(a, b) : has_a ? a : b;
  const double most = has_a && has_b ? std::max(a, b) : has_a ? a : b;
  return {.least = least * (1 - kQuotientRounding), .most = most * (1 + kQuotientRounding)};
}

}  // namespace

std::optional<double> Quotient(const WorkModel& model, const WorkStep& work) {
  const double expected = model.a * work.requests + model.b * work.bytes;
  if (work.seconds < kMinBusy || !(expected > 0)) {
    return std::nullopt;
  }
  return work.seconds / expected;
}

void QuotientMedians::Add(const WorkStep& mean) {
  means_.push_back(mean);
  orders_ = {};
}

QuotientMedians::Order QuotientMedians::Sort(const WorkModel& model) const {
  Order order{.model = model, .sorted = {}, .rank = {}};
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (const auto quotient = Quotient(model, means_[i])) {
      order.sorted.emplace_back(*quotient, i);
    }
  }
  std::ranges::sort(order.sorted);
  order.rank.assign(means_.size(), order.sorted.size());
  for (std::size_t rank = 0; rank < order.sorted.size(); ++rank) {
    order.rank[order.sorted[rank].second] = rank;
  }
  return order;
}

std::optional<double> QuotientMedians::OfAllOthers(std::size_t place,
                                                   const WorkModel& model) const {
  std::vector<double> others;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (const auto quotient = i == place ? std::nullopt : Quotient(model, means_[i])) {
      others.push_back(*quotient);
    }
  }
  return others.size() < kMinQuotients ? std::nullopt : std::optional(Median(std::move(others)));
}

// At least k + 1 of the others have a quotient up to the k-th smallest, t, of the base model, and
// so one of at most most * t here; all but k have at least t, and so at least least * t here. That
// bounds the k-th smallest here. What is below least * t / most there stays below those bounds
// here, what is above most * t / least stays above.
std::optional<double> QuotientMedians::OfOthers(std::size_t place, const WorkModel& model) {
  auto& order = orders_[KindOf(model)];
  if (!order) {
    order = Sort(model);
  }
  const auto factors = FactorsBetween(order->model, model);
  if (!factors.AreUsable()) {
    return OfAllOthers(place, model);
  }
  const auto& sorted = order->sorted;
  const auto own = order->rank[place];
  const auto others = sorted.size() - (own < sorted.size() ? 1 : 0);
  if (others < kMinQuotients) {
    return std::nullopt;
  }
  const auto base = [&](std::size_t k) { return sorted[k < own ? k : k + 1].first; };
  const double from = factors.least * base((others - 1) / 2) / factors.most;
  const double to = factors.most * base(others / 2) / factors.least;
  const auto first =
      std::ranges::lower_bound(sorted, from, {}, [](auto& one) { return one.first; });
  const auto last = std::ranges::upper_bound(sorted, to, {}, [](auto& one) { return one.first; });
  std::vector<double> near;
  near.reserve(static_cast<std::size_t>(last - first));
  for (auto one = first; one != last; ++one) {
    if (one->second != place) {
      const auto quotient = Quotient(model, means_[one->second]);
      if (!quotient) {
        return OfAllOthers(place, model);
      }
      near.push_back(*quotient);
    }
  }
  const auto before = static_cast<std::size_t>(first - sorted.begin());
  const auto below = before - (own < before ? 1 : 0);
  const auto middle = near.begin() + static_cast<std::ptrdiff_t>(others / 2 - below);
  std::nth_element(near.begin(), middle, near.end());
  if (others % 2 == 1) {
    return *middle;
  }
  // As Median() does.
  return *std::max_element(near.begin(), middle) / 2 + *middle / 2;
}

}  // namespace limpet
