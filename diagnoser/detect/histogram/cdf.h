// cdf.h: the detector "cdf": the distance of cumulative histograms [Kasick12 §4.2], in bins.
//
// Threads: as Detector.
#pragma once

#include <memory>
#include <vector>

#include "diagnoser/detect/histogram/histogram.h"

namespace limpet {

class CdfDetector final : public HistogramDetector {
 public:
  using HistogramDetector::HistogramDetector;

 private:
  [[nodiscard]] std::unique_ptr<Pairs> MakePairs(const SampleSet& samples,
                                                 const BinRange& bins) const override;
  [[nodiscard]] std::vector<double> DistancesFrom(std::size_t component, const SampleSet& samples,
                                                  const BinRange& bins) const override;
  // B-1: all samples of one component in the first bin, all of the other in the last.
  [[nodiscard]] double LargestDistance() const override;
};

}  // namespace limpet
