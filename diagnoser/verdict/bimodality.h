// bimodality.h: are these peers at all? Tells a group of two kinds of components from one with
// culprits.
//
// Peers do the same work, so over a day their medians of a metric lie around one value. Two clearly
// separate values mean that two kinds were put into one group (flash and spinning disks, two
// generations): then every comparison in it is worth less, and no server is to blame.
//
// The medians are split in two where the sum of squares within the halves is least (Otsu's method,
// exact in one dimension), on a logarithmic scale when all are over 0. The split counts when
//   * each side has at least 3 components and a quarter of them: one limping server, or two, are
//     culprits and not a kind (a quarter is also where pooled bins go blind);
//   * the gap between the sides (95th percentile of the low one to 5th of the high one) is so large
//   a
//     share of the whole range (5th to 95th) that evenly spread peers would show one in a thousand
//     times: 1 - (0.001 / cuts)^(1 / (n - 2)), and never under 0.35;
//   * Ashman's D of the sides, with medians and scaled median deviations, is at least 4 (2 is the
//     usual mark of two populations; a normal or uniform one cut in half reaches 2.6 to 3.5);
//   * the high median is at least 1.25 times the low one, the effect from which on the untrained
//     default calls a window anomalous, and the difference is over the metric's floor.
// One population (uniform, normal, lognormal, exponential, Pareto; 6 to 100 peers) was called two
// in under 1 % of 1,500 draws each; docs/decisions/0072. Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

using PeerLabels = std::map<std::string, std::string, std::less<>>;

struct PeerMedian {
  std::string component;
  double median = 0;  // of a day, in the metric's unit
  PeerLabels labels;  // what is known of it
};

// A label whose values tell the two sides apart.
struct SplittingLabel {
  std::string name;
  std::vector<std::string> low;  // its values on each side; "" for components without it
  std::vector<std::string> high;
  double agreement = 0;  // share of the components that it puts on the right side
};

struct Bimodality {
  std::vector<std::string> low;  // components, by name
  std::vector<std::string> high;
  double low_median = 0;  // in the metric's unit
  double high_median = 0;
  double separation = 0;  // Ashman's D
  std::optional<SplittingLabel> label;
};

inline constexpr std::size_t kMinKind = 3;  // components a side
// The label that names a component's node. Where the components of one node, at least kMinKind, are
// all on one side and nobody else is, that side may be smaller than a quarter.
inline constexpr std::string_view kNodeLabel = "node";

// nullopt: one population, or too few to tell.
[[nodiscard]] std::optional<Bimodality> FindTwoKinds(std::vector<PeerMedian> peers, double floor);

// The label that puts most components on the right side, at least 9 of 10, without telling most of
// them apart anyway (a serial number); among equals the one with fewest values, then by name.
[[nodiscard]] std::optional<SplittingLabel> FindSplittingLabel(const std::vector<PeerMedian>& low,
                                                               const std::vector<PeerMedian>& high);

}  // namespace limpet
