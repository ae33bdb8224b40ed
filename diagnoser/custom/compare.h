// compare.h: how far the components of one group are from each other in one window of one metric of
// the configuration, in the same units as the detector w1 (detect/wasserstein/gates.h): a degree
// over 1 is anomalous.
//
// Degree:  effect e = s / max(median mean, noise floor); z = s / max(spread, 2 % of the median
//          mean, floor / 100); degree = min(e / E, z / 3), 0 when the component is on the other
//          side than the metric's direction or differs by no more than the noise floor.
// Chance:  a mean of n requests with exponential times is larger by e in at most
//          exp(-n (e - ln(1 + e))) of the windows; the degree is 0 unless that is under exp(-10).
//          10 requests tell of 2.2 times more, 100 of a half, 400 of a quarter.
// Load:    a component that answers more requests than the median of its peers may take longer in
//          proportion: of e and z counts what is left of 1 + e over that ratio. A disk with more to
//          do also seeks more, while a slow one answers no more than its peers.
// Samples: of counters, gauges and means s is the 1-Wasserstein distance to the peers, E = 0.25.
// Histograms: s is the distance to the peers' median distribution, of all requests (E = 0.25), of
//          the slowest tenth (0.5) and of the slowest hundredth (1), each as far as it has enough
//          requests; the largest degree counts. The spread is that of the peers' means (median
//          absolute deviation).
// Threads: pure.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/custom/histogram.h"
#include "diagnoser/custom/metric.h"
#include "diagnoser/detect/direction.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/series/sample_set.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// Vectors have one element a component, in their order.
struct CustomComparison {
  bool undetermined = true;  // fewer than three peers, or no bounds in common: nothing else is said
  double lo = 0;             // least and largest mean
  double hi = 0;
  double median_mean = 0;
  std::vector<double> mean;
  std::vector<double> s;
  std::vector<double> effect;
  std::vector<double> z;
  std::vector<double> degree;
  std::vector<Direction> direction;
  // The difference in words: a quantile of a histogram, or the mean.
  std::vector<StorageReading> reading;
};

// Readings that are no means of requests have so many.
inline constexpr double kManyRequests = std::numeric_limits<double>::infinity();

// `requests`: of each component in the window.
[[nodiscard]] CustomComparison CompareSamples(const CustomMetric& metric, const SampleSet& samples,
                                              std::span<const double> requests,
                                              const PresetSettings& preset);
[[nodiscard]] CustomComparison CompareCounts(const CustomMetric& metric,
                                             std::span<const BucketCounts> counts);

}  // namespace limpet
