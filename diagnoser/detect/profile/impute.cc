#include "diagnoser/detect/profile/impute.h"

#include <algorithm>
#include <cmath>

#include "diagnoser/metrics/missing.h"

namespace limpet {
namespace {

constexpr auto kGap = static_cast<std::int64_t>(kLongestGap);
constexpr auto kBand = static_cast<std::int64_t>(kWidestBand);
constexpr auto kBands = static_cast<std::int64_t>(kReachInBands);
constexpr std::int64_t kMinKnown = 3;  // two would make any line

}  // namespace

double Imputer::At(std::int64_t t) const {
  return t < first_ || t >= end_ ? kMissing : samples_[static_cast<std::size_t>(t - first_)];
}

// Whether the hole that second t lies in is short enough and has a sample on both sides; nullopt:
// cannot be told yet.
std::optional<bool> Imputer::IsBridged(std::int64_t t) const {
  auto last_before = t - 1;
  while (t - last_before <= kGap && IsMissing(At(last_before))) {
    --last_before;
  }
  auto first_after = t + 1;
  while (first_after - last_before <= kGap + 1 && first_after < end_ &&
         IsMissing(At(first_after))) {
    ++first_after;
  }
  if (first_after - last_before - 1 > kGap) {
    return false;
  }
  if (first_after >= end_) {
    return finished_ ? std::optional(false) : std::nullopt;
  }
  return true;
}

// h: seconds by their distance from t until three of them are known. Over kBand: there are too few;
// nullopt: cannot be told yet.
std::optional<std::int64_t> Imputer::FindBand(std::int64_t t) const {
  std::int64_t known = 0;
  std::int64_t h = 0;
  while (known < kMinKnown && h <= kBand) {
    ++h;
    known += IsMissing(At(t - h)) ? 0 : 1;
    known += IsMissing(At(t + h)) ? 0 : 1;
    if (known < kMinKnown && t + h >= end_ && !finished_) {
      return std::nullopt;
    }
  }
  return h;
}

// The value at t of the line of weighted least squares.
double Imputer::Regress(std::int64_t t, std::int64_t h) const {
  double sw = 0;
  double sx = 0;
  double sxx = 0;
  double sy = 0;
  double sxy = 0;
  const auto scale = 2.0 * static_cast<double>(h) * static_cast<double>(h);
  const auto reach = kBands * h;
  for (auto s = t - reach; s <= t + reach; ++s) {
    const double y = At(s);
    if (IsMissing(y)) {
      continue;
    }
    const auto x = static_cast<double>(s - t);
    const double w = std::exp(-x * x / scale);
    sw += w;
    sx += w * x;
    sxx += w * x * x;
    sy += w * y;
    sxy += w * x * y;
  }
  // Three different seconds at least, so the determinant is well over 0.
  const double value = (sxx * sy - sx * sxy) / (sw * sxx - sx * sx);
  return std::max(0.0, value);  // a line may leave the axis, a rate cannot
}

// The value of the missing second t, kMissing when it stays so; nullopt: cannot be told yet.
std::optional<double> Imputer::Settle(std::int64_t t) const {
  if (!begun_) {
    return kMissing;
  }
  const auto bridged = IsBridged(t);
  if (!bridged || !*bridged) {
    return bridged ? std::optional(kMissing) : std::nullopt;
  }
  const auto h = FindBand(t);
  if (!h || *h > kBand) {
    return h ? std::optional(kMissing) : std::nullopt;
  }
  // What is told now must be what the whole series would tell, so all that has weight must be here.
  if (t + kBands * *h >= end_ && !finished_) {
    return std::nullopt;
  }
  return Regress(t, *h);
}

void Imputer::Put(double sample) {
  samples_.push_back(sample);
  ++end_;
  // What no second to come can reach is forgotten.
  while (first_ < next_ - static_cast<std::int64_t>(kLongestReach) - 1) {
    samples_.pop_front();
    ++first_;
  }
}

std::optional<double> Imputer::Next() {
  if (next_ >= end_) {
    return std::nullopt;
  }
  std::optional<double> value = At(next_);
  if (IsMissing(*value)) {
    value = Settle(next_);
  } else {
    begun_ = true;
  }
  if (value) {
    ++next_;
  }
  return value;
}

}  // namespace limpet
