// smoothing.h: the trailing mean that quiets single samples before they are compared [Kasick10
// §10.1].
//
// Missing: a sample that is missing stays so; missing ones before it are left out of its mean.
// Threads: pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/metrics/missing.h"

namespace limpet {

// The mean of every sample and the w-1 before it, computed afresh for each (a running sum would
// collect rounding errors). The first w-1 samples only feed the others: the result is as many
// shorter, and belongs to samples w-1, w, …
[[nodiscard]] inline std::vector<double> Smooth(std::span<const double> samples, std::size_t w) {
  std::vector<double> means;
  if (samples.size() < w || w == 0) {
    return means;
  }
  means.reserve(samples.size() - w + 1);
  for (std::size_t last = w - 1; last < samples.size(); ++last) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = last + 1 - w; i <= last; ++i) {
      if (!IsMissing(samples[i])) {
        sum += samples[i];
        ++count;
      }
    }
    means.push_back(IsMissing(samples[last]) ? kMissing : sum / static_cast<double>(count));
  }
  return means;
}

}  // namespace limpet
