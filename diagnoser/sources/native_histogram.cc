#include "diagnoser/sources/native_histogram.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace limpet {
namespace {

// Bounds of native histograms are printed with rounding errors.
constexpr double kRounding = 1e-9;
constexpr int kFarthest = 200;  // exponents: from 1e-30 to 1e30

double BoundAt(int exponent) { return std::exp2(exponent / 2.0); }

double ExponentOf(double bound) { return 2 * std::log2(bound); }

int Whole(double exponent) {
  return static_cast<int>(std::clamp(exponent, double{-kFarthest}, double{kFarthest}));
}

}  // namespace

double CountUpTo(const NativePoint& point, double bound) {
  double sum = 0;
  for (const auto& bucket : point.buckets) {
    if (bucket.upper <= bound * (1 + kRounding)) {
      sum += bucket.count;
    } else if (bucket.lower < bound * (1 - kRounding) && std::isfinite(bucket.lower) &&
               std::isfinite(bucket.upper)) {
      sum += bucket.count * (bound - bucket.lower) / (bucket.upper - bucket.lower);
    }
  }
  return sum;
}

// A bucket that begins at or below 0 says by its end how small requests may be.
void NativeBounds::Widen(const std::string& name, std::span<const NativePoint> points) {
  std::optional<Range> seen;
  const auto see = [&](double bound) {
    if (!(bound > 0) || !std::isfinite(bound)) {
      return;
    }
    const int below = Whole(std::floor(ExponentOf(bound) + kRounding));
    const int above = Whole(std::ceil(ExponentOf(bound) - kRounding));
    seen = seen ? Range{std::min(seen->lowest, below), std::max(seen->highest, above)}
                : Range{below, above};
  };
  for (const auto& point : points) {
    for (const auto& bucket : point.buckets) {
      if (bucket.count > 0) {
        see(bucket.lower);
        see(bucket.upper);
      }
    }
  }
  const auto known = ranges_.find(name);
  if (!seen || (known == ranges_.end() && ranges_.size() == kMaxNames)) {
    return;
  }
  // Each new bound makes the windows of its metric begin anew: rarely, then.
  auto& range = ranges_.try_emplace(name, Range{seen->lowest - kMargin, seen->highest + kMargin})
                    .first->second;
  if (seen->highest > range.highest) {
    range.highest = seen->highest + kMargin;
  }
  if (seen->lowest < range.lowest) {
    range.lowest = seen->lowest - kMargin;
  }
  // What is slow matters more than what is quick.
  range.lowest = std::max(range.lowest, range.highest - kMaxBounds + 1);
}

std::vector<double> NativeBounds::Of(const std::string& name) const {
  std::vector<double> bounds;
  if (const auto range = ranges_.find(name); range != ranges_.end()) {
    for (int exponent = range->second.lowest; exponent <= range->second.highest; ++exponent) {
      bounds.push_back(BoundAt(exponent));
    }
  }
  return bounds;
}

}  // namespace limpet
