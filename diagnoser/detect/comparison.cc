#include "diagnoser/detect/comparison.h"

#include "diagnoser/series/stats.h"

namespace limpet {

Comparison UndeterminedMeans(const SampleSet& samples) {
  Comparison result;
  result.mean.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    result.mean.push_back(Mean(samples.Of(i)));
  }
  return result;
}

Comparison CompareMeans(const SampleSet& samples) {
  auto result = UndeterminedMeans(samples);
  if (samples.size() < kMinPeers) {
    return result;
  }
  result.undetermined = false;
  result.middle_means = MiddleTwo(result.mean);
  result.median_mean = result.middle_means[0] / 2 + result.middle_means[1] / 2;
  result.direction.reserve(samples.size());
  for (const double mean : result.mean) {
    result.direction.push_back(FindDirection(mean, result.median_mean));
  }
  return result;
}

}  // namespace limpet
