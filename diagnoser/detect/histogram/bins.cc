#include "diagnoser/detect/histogram/bins.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

std::size_t Bounded(double count) {
  constexpr auto kMax = static_cast<double>(kMaxBins);
  return static_cast<std::size_t>(std::clamp(std::ceil(count), 1.0, kMax));
}

double OwnIqr(std::span<const double> samples) { return Iqr({samples.begin(), samples.end()}); }

}  // namespace

std::size_t SturgesBins(std::size_t window) {
  // ceil(log2 W), in whole numbers.
  return static_cast<std::size_t>(std::bit_width(window - 1)) + 1;
}

std::size_t FreedmanDiaconisBins(double range, double iqr, std::size_t window, double noise_floor) {
  // Only rounding is left of a spread of equal samples; dividing by it would be chance.
  if (iqr <= 1e-9 * range) {
    return noise_floor > 0 ? Bounded(range / noise_floor) : kMaxBins;
  }
  // A quotient that is a whole number but for rounding must not take one more bin.
  return Bounded(range * std::cbrt(static_cast<double>(window)) / (2 * iqr) - 1e-9);
}

double FindIqr(const SampleSet& samples, IqrKind kind) {
  if (kind == IqrKind::kPooled) {
    return OwnIqr(samples.All());
  }
  std::vector<double> own;
  own.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    own.push_back(OwnIqr(samples.Of(i)));
  }
  return Median(std::move(own));
}

std::vector<double> CountInBins(std::span<const double> samples, const BinRange& bins) {
  std::vector<double> counts(bins.count);
  for (const double x : samples) {
    counts[FindBin(x, bins)] += 1;
  }
  return counts;
}

}  // namespace limpet
