// comparison.h: what a detector says about one metric of one peer group in one window.
//
// Threads: values and a pure function.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "diagnoser/detect/direction.h"
#include "diagnoser/series/sample_set.h"

namespace limpet {

// Fewer: nobody can be told from the others. Disks are counted by their servers, so that of two
// healthy servers neither is named for how the disks of one differ from those of the other.
inline constexpr std::size_t kMinPeers = 3;

// Time at a disk's device by the kernel's own clock (limpet-exporter's block collector).
struct DeviceTime {
  double mean = 0;         // ms a request
  double peer_median = 0;  // median of all means
  double slowdown = 1;     // how many times as long as its peers it takes for the same work
  // True if that is by this clock; false: by busy time, in which peers work on one request at a
  // time, or nobody can tell.
  bool decides = false;
};

// Vectors have one element a component, in the order of the samples, or are empty.
struct Comparison {
  bool undetermined = true;  // fewer than kMinPeers: only `mean` is filled
  double lo = 0;             // least and largest sample
  double hi = 0;
  std::size_t bins = 0;   // 0: no histogram was needed (w1, equal samples, under the noise floor)
  std::vector<double> s;  // how far from its peers, in the detector's unit
  std::vector<bool> is_bound;  // s is only known not to be larger; empty: all are exact
  std::vector<double> mean;
  double median_mean = 0;
  std::array<double, 2> middle_means = {};  // MiddleTwo (stats.h) of the means
  double median_iqr = 0;                    // w1 only: of the components' own
  std::vector<Direction> direction;

  // The degree that is held against the threshold: s, or what Detector::Grade makes of it.
  std::vector<double> degree;
  // w1 only (gates.h): how much more than its peers (1: twice as much), and how unusual among them.
  std::vector<double> effect;
  std::vector<double> z;
  // w1 only, where servers have several devices: the degree that counts for nothing because most
  // servers have such a device; 0: none such.
  std::vector<double> common_degree;
  // w1 only, of a metric that is judged with the device's time: where the kernel's clock is known.
  std::vector<std::optional<DeviceTime>> device_time;
  // Congestion windows only: judged second by second; elsewhere degree > threshold decides.
  std::vector<bool> anomalous;
};

// Returns the comparison of a window with too few peers. Every component has a sample.
[[nodiscard]] Comparison UndeterminedMeans(const SampleSet& samples);
// Returns what all detectors say alike: means, their median, directions, and whether there are
// enough peers. Every component has a sample.
[[nodiscard]] Comparison CompareMeans(const SampleSet& samples);

}  // namespace limpet
