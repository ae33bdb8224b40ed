// window.h: one window of one metric of the configuration: who its peers are, and what their
// readings say.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/custom/histogram.h"
#include "diagnoser/custom/node_names.h"
#include "diagnoser/custom/readings.h"
#include "diagnoser/series/window_shape.h"
#include "exporter/common/time.h"

namespace limpet {

struct CustomMember {
  std::string name;  // "io04/osd.7"; "io04" where the node is the component
  std::string node;
  std::string component;  // "osd.7"; empty: the node
  std::string disk;       // "sdb"; empty: not known
  const CustomCell* cell = nullptr;
};

struct CustomGroup {
  std::string name;  // the metric's, ":" and what its peers have in common: "commit_latency:hdd"
  std::vector<CustomMember> members;  // by name
};

struct CustomPlaces {
  std::vector<CustomGroup> groups;  // by name
  std::size_t no_node = 0;          // components of which no info series tells
  std::size_t two_nodes = 0;        // or two tell different things
};

// The components of `metric` with a reading after `since`. Good as long as the readings.
[[nodiscard]] CustomPlaces PlaceComponents(const CustomReadings& readings, std::size_t metric,
                                           UnixTime since, const NodeNames& nodes);

// Returns with how many requests a component is compared: it is the slow one that answers the
// fewest, and a quarter of min_count still tells of a large difference (compare.h).
[[nodiscard]] double LeastRequests(const CustomMetric& metric);

// The smoothed samples of a counter, gauge or mean in a window, holes taken out. nullopt: fewer
// than four fifths of them, or of a mean fewer than LeastRequests. A step without requests has the
// mean of the window.
struct CustomSamples {
  std::vector<double> values;
  double requests = 0;  // of a mean
};
[[nodiscard]] std::optional<CustomSamples> SampleWindow(const CustomMetric& metric,
                                                        const CustomCell& cell, UnixTime end,
                                                        const WindowShape& shape, std::size_t grid,
                                                        Duration max_gap);

// The distribution of a histogram's requests in a window. nullopt: fewer than LeastRequests, or
// buckets that contradict each other.
[[nodiscard]] std::optional<BucketCounts> CountWindow(const CustomMetric& metric,
                                                      const CustomCell& cell, UnixTime end,
                                                      const WindowShape& shape, Duration tick);

}  // namespace limpet
