#include "diagnoser/detect/histogram/kl.h"

#include <cmath>
#include <span>
#include <utility>

#include "diagnoser/detect/histogram/distance.h"
#include "diagnoser/detect/kernels/plain_pairs.h"

namespace limpet {

std::unique_ptr<Pairs> KlDetector::MakePairs(const SampleSet& samples, const BinRange& bins) const {
  auto rows = HistogramRows(
      samples, bins, [](const std::vector<double>& counts) { return KlRow(KlHistogram(counts)); });
  constexpr std::size_t kNumbersPerBin = 2;  // P and ln P: a logarithm a bin, not one a pair
  return std::make_unique<PlainPairs>(PlainPairs::Kind::kDivergence, std::move(rows),
                                      kNumbersPerBin * bins.count);
}

std::vector<double> KlDetector::DistancesFrom(std::size_t component, const SampleSet& samples,
                                              const BinRange& bins) const {
  const KlHistogram own(CountInBins(samples.Of(component), bins));
  return DistancesToOthers(component, samples, [&](std::span<const double> other) {
    return KlDistance(own, KlHistogram(CountInBins(other, bins)));
  });
}

double KlDetector::LargestDistance() const {
  // All W samples in one bin each: the two bins that differ add W / (W + B/2) ln(2W + 1).
  const double samples = 2 * static_cast<double>(Preset().window);
  return samples / (samples + static_cast<double>(MaxBins())) * std::log(samples + 1);
}

}  // namespace limpet
