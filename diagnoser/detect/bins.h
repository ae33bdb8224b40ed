// bins.h: the common histogram bins of a window (000 §10.1 Sturges, 002 §4.2 Freedman-Diaconis).
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/sample_set.h"

namespace limpet {

inline constexpr std::size_t kMostBins = 1000;

struct BinRange {
  double lo = 0;
  double hi = 0;
  std::size_t count = 0;  // B, at least 1
};

// B = ceil(log2 W) + 1.
[[nodiscard]] std::size_t SturgesBins(std::size_t window);
// B = ceil((hi-lo) * cbrt(W) / (2 IQR)), within [1, kMostBins]. Without a spread (IQR 0) as many as
// allowed, or with a noise floor h > 0 one bin for each h.
[[nodiscard]] std::size_t FreedmanDiaconisBins(double range, double iqr, std::size_t window,
                                               double noise_floor);
// Pooled: over all samples, so a quarter of faulty components hides the fault. Within: the median
// over components of each one's own, which one faulty component cannot inflate.
[[nodiscard]] double SpreadOf(const SampleSet& samples, IqrKind kind);

// How many samples fall in each bin: x in min(B-1, floor((x-lo) B / (hi-lo) + 1e-9)). hi > lo.
[[nodiscard]] std::vector<double> CountInBins(std::span<const double> samples,
                                              const BinRange& bins);

}  // namespace limpet
