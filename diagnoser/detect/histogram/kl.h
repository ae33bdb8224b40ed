// kl.h: the detector "kl": the symmetric Kullback-Leibler divergence of histograms
// [Kasick10 §10.1], in nats.
//
// It has no triangle inequality and so no bounds: every s is exact.
// Threads: as Detector.
#pragma once

#include <memory>
#include <vector>

#include "diagnoser/detect/histogram/histogram.h"

namespace limpet {

class KlDetector final : public HistogramDetector {
 public:
  using HistogramDetector::HistogramDetector;

 private:
  [[nodiscard]] std::unique_ptr<Pairs> MakePairs(const SampleSet& samples,
                                                 const BinRange& bins) const override;
  [[nodiscard]] std::vector<double> DistancesFrom(std::size_t component, const SampleSet& samples,
                                                  const BinRange& bins) const override;
  // (2m / (2m+B)) ln(2m+1) with m = W samples and B bins.
  [[nodiscard]] double LargestDistance() const override;
};

}  // namespace limpet
