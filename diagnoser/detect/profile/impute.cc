#include "diagnoser/detect/profile/impute.h"

#include <algorithm>
#include <cmath>

#include "diagnoser/metrics/missing.h"

namespace limpet {
namespace {

constexpr auto kGap = static_cast<std::int64_t>(kLongestGap);
constexpr auto kBand = static_cast<std::int64_t>(kWidestBand);
constexpr auto kBands = static_cast<std::int64_t>(kReachInBands);

}  // namespace

double Imputer::At(std::int64_t t) const {
  return t < first_ || t >= end_ ? kMissing : samples_[static_cast<std::size_t>(t - first_)];
}

// The value of the missing second t, kMissing when it stays so; nullopt: cannot be told yet.
std::optional<double> Imputer::Settle(std::int64_t t) const {
  if (!begun_) {
    return kMissing;
  }
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
    return kMissing;
  }
  if (first_after >= end_) {
    return finished_ ? std::optional(kMissing) : std::nullopt;
  }
  // h: seconds by their distance from t until three of them are known.
  std::int64_t known = 0;
  std::int64_t h = 0;
  while (known < 3 && h <= kBand) {
    ++h;
    known += IsMissing(At(t - h)) ? 0 : 1;
    known += IsMissing(At(t + h)) ? 0 : 1;
    if (known < 3 && t + h >= end_ && !finished_) {
      return std::nullopt;
    }
  }
  if (h > kBand) {
    return kMissing;
  }
  const auto reach = kBands * h;
  if (t + reach >= end_ && !finished_) {
    return std::nullopt;
  }
  double sw = 0;
  double sx = 0;
  double sxx = 0;
  double sy = 0;
  double sxy = 0;
  const auto scale = 2.0 * static_cast<double>(h) * static_cast<double>(h);
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
  return std::max(0.0, value);
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

std::optional<double> Imputer::Take() {
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

std::vector<double> Impute(std::span<const double> samples) {
  Imputer imputer;
  std::vector<double> filled;
  filled.reserve(samples.size());
  for (const double sample : samples) {
    imputer.Put(sample);
    while (const auto value = imputer.Take()) {
      filled.push_back(*value);
    }
  }
  imputer.Finish();
  while (const auto value = imputer.Take()) {
    filled.push_back(*value);
  }
  return filled;
}

}  // namespace limpet
