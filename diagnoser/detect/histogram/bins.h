// bins.h: the common histogram bins of a window ([Kasick10 §10.1] Sturges, [Kasick12 §4.2]
// Freedman-Diaconis).
//
// Threads: pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/series/sample_set.h"

namespace limpet {

inline constexpr std::size_t kMaxBins = 1000;

struct BinRange {
  double lo = 0;
  double hi = 0;
  std::size_t count = 0;  // B, at least 1
};

// B = ceil(log2 W) + 1.
[[nodiscard]] std::size_t SturgesBins(std::size_t window);
// B = ceil((hi-lo) * cbrt(W) / (2 IQR)), within [1, kMaxBins]. Without a spread (IQR 0) as many as
// allowed, or with a noise floor h > 0 one bin for each h.
[[nodiscard]] std::size_t FreedmanDiaconisBins(double range, double iqr, std::size_t window,
                                               double noise_floor);
// Pooled: over all samples, so a quarter of faulty components hides the fault. Within: the median
// over components of each one's own, which one faulty component cannot inflate.
[[nodiscard]] double FindIqr(const SampleSet& samples, IqrKind kind);

// x falls in min(B-1, floor((x-lo) B / (hi-lo) + 1e-9)). lo <= x <= hi, hi > lo.
[[nodiscard]] inline std::size_t FindBin(double x, const BinRange& bins) {
  const auto count = static_cast<double>(bins.count);
  const double place = (x - bins.lo) * count / (bins.hi - bins.lo) + 1e-9;
  return std::min(bins.count - 1, static_cast<std::size_t>(std::max(place, 0.0)));
}

// Returns how many samples fall in each bin.
[[nodiscard]] std::vector<double> CountInBins(std::span<const double> samples,
                                              const BinRange& bins);

}  // namespace limpet
