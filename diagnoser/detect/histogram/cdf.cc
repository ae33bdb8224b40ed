#include "diagnoser/detect/histogram/cdf.h"

#include <span>

#include "diagnoser/detect/histogram/cdf_pairs.h"
#include "diagnoser/detect/histogram/distance.h"
#include "diagnoser/detect/kernels/plain_pairs.h"

namespace limpet {

std::unique_ptr<Pairs> CdfDetector::MakePairs(const SampleSet& samples,
                                              const BinRange& bins) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    // One longer row is enough: a count that does not fit into a byte cannot be compared as one.
    if (samples.Of(i).size() > CdfPairs::kMaxSamples) {
      return std::make_unique<PlainPairs>(PlainPairs::Kind::kAbsolute,
                                          HistogramRows(samples, bins, Cumulate), bins.count);
    }
  }
  return std::make_unique<CdfPairs>(samples, bins);
}

std::vector<double> CdfDetector::DistancesFrom(std::size_t component, const SampleSet& samples,
                                               const BinRange& bins) const {
  const auto own = Cumulate(CountInBins(samples.Of(component), bins));
  return DistancesToOthers(component, samples, [&](std::span<const double> other) {
    return CdfDistance(own, Cumulate(CountInBins(other, bins)));
  });
}

double CdfDetector::LargestDistance() const { return static_cast<double>(MaxBins()) - 1; }

}  // namespace limpet
