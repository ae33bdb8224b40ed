#include "diagnoser/verdict/false_alarms.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limpet {
namespace {

constexpr double kLeast = -6;    // ln: a 400th of the threshold
constexpr double kTail = 0.1;    // share of the maxima that the fit is made of
constexpr double kMinTail = 10;  // with fewer of them the fit would be chance
constexpr double kNormal95 = 1.96;
constexpr double kRuleOfThree = 3;

}  // namespace

void FalseAlarmRate::Add(const FalseAlarmRate& other) {
  per_day += other.per_day;
  upper += other.upper;
  days = std::max(days, other.days);
}

double FalseAlarmRate::Bound() const { return days > 0 ? upper + kRuleOfThree / days : upper; }

void FalseAlarmTail::Record(std::int64_t window, double largest, std::size_t length) {
  const auto block = window / static_cast<std::int64_t>(length);
  if (block != block_ && block_ >= 0) {
    const double log = largest_ > 0 ? std::clamp(std::log(largest_), kLeast, -1e-9) : kLeast;
    const double share = (log - kLeast) / -kLeast;
    ++counts_[static_cast<std::size_t>(std::lround(share * static_cast<double>(kBins - 1)))];
    ++blocks_;
    largest_ = 0;
  }
  block_ = block;
  largest_ = std::max(largest_, largest);
}

std::optional<FalseAlarmRate> FalseAlarmTail::Estimate(Duration block) const {
  if (blocks_ < kMinBlocks) {
    return std::nullopt;
  }
  constexpr double kWidth = -kLeast / static_cast<double>(kBins - 1);
  const auto n = static_cast<double>(blocks_);
  const double per_day = ToSeconds(std::chrono::hours(24)) / ToSeconds(block);
  // Down from the largest until the tail holds a tenth of all, and enough of them. The first bin is
  // silence.
  double above = 0;
  double sum = 0;  // of ln(maximum)
  std::size_t u = kBins;
  while (u > 1 && above < std::max(kTail * n, kMinTail)) {
    --u;
    above += counts_[u];
    sum += counts_[u] * (kLeast + kWidth * static_cast<double>(u));
  }
  FalseAlarmRate rate{.days = n / per_day};
  // Where nobody ever came near there is no tail to fit.
  if (above < kMinTail) {
    return rate;
  }
  const double edge = kLeast + kWidth * (static_cast<double>(u) - 0.5);
  const double beta = std::max(kWidth / 2, sum / above - edge);
  const auto exceed = [&](double b) { return std::min(1.0, above / n * std::exp(edge / b)); };
  rate.per_day = per_day * exceed(beta);
  rate.upper = per_day * exceed(beta * (1 + kNormal95 / std::sqrt(above)));
  return rate;
}

}  // namespace limpet
