// peers.h: the comparison of one metric of one peer group in one window: samples in, degrees out.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "diagnoser/detect/direction.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/series/sample_set.h"

namespace limpet {

inline constexpr std::size_t kMinPeers = 3;  // fewer: nobody can be told from the others

// One element a component, in the order of the SampleSet.
struct PeerComparison {
  bool undetermined = true;  // fewer than kMinPeers: only `mean` is filled
  double lo = 0;
  double hi = 0;
  std::size_t bins = 0;   // 0: no histogram was needed (w1, equal samples, under the noise floor)
  std::vector<double> s;  // degrees: nats (kl), bins (cdf), the metric's unit (w1)
  std::vector<bool> is_bound;  // s is only known not to be larger; empty: all are exact
  std::vector<double> mean;
  double median_mean = 0;
  double median_iqr = 0;  // w1 only: of the components' own
  std::vector<Direction> direction;
};

// Asked about each component while its s is an upper bound (pruning.h) and everything else is
// final: whether the bound will do.
using BoundWillDo = std::function<bool(const PeerComparison&, std::size_t component)>;

// Distance, bins and noise floors are those of the preset for `metric`. Every s is exact, unless
// `bound_will_do` is given and the distance has a triangle inequality (cdf, w1): then those for
// which it says no, and all where most are.
[[nodiscard]] PeerComparison ComparePeers(const SampleSet& samples, std::string_view metric,
                                          const PresetSettings& preset,
                                          const BoundWillDo& bound_will_do = nullptr);

}  // namespace limpet
