// metric.h: a metric of a configuration file: the series it is made of, and how components with it
// are compared. The keys of the file: docs/metrics-in-yaml.md.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/direction.h"
#include "diagnoser/mapping/rules.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// The kind of series, and with that what a sample is.
enum class CustomShape : std::uint8_t {
  kCounter,    // increase a second
  kGauge,      // the latest reading
  kMean,       // increase of a sum over increase of a count: per request
  kHistogram,  // the distribution of the requests of a window, by classic buckets
};

// Labels of the series itself, or of an info series that has the same values of the labels `on`.
struct CustomJoin {
  std::string series;  // empty: no join
  std::vector<std::string> on;
  bool operator==(const CustomJoin&) const = default;
};
struct CustomLabel {
  CustomJoin join;
  std::string label;  // empty: not asked for
  bool operator==(const CustomLabel&) const = default;
};
struct CustomPeers {
  CustomJoin join;
  std::vector<std::string> same;  // labels; "node" is the component's node
  bool operator==(const CustomPeers&) const = default;
};

struct CustomMetric {
  std::string name;
  std::string text;
  std::string unit;
  CustomShape shape = CustomShape::kGauge;
  std::string series;  // of a mean: the sum; of a histogram: without "_bucket"
  std::string count;   // of a mean
  std::vector<LabelMatcher> labels;
  double factor = 1;                   // readings (bounds of buckets) times this are in `unit`
  std::vector<std::string> component;  // labels; empty: the node is the component
  CustomLabel node;                    // no label: the target's node
  CustomLabel device;                  // the disk under it, for the evidence; may be empty
  CustomPeers peers;
  Direction direction = Direction::kHigh;  // kNone: both sides count
  double noise_floor = 0;                  // in `unit`
  std::size_t min_count = 30;              // requests in a window; fewer: undetermined
  bool add_up = false;                     // several targets count requests of one component
  Cause cause = Cause::kNone;
  std::string asks;    // label that says who asks; not empty: compared with nothing (who_asks.h)
  std::string beside;  // counts only where the node has a flag of this metric; empty: by itself
  bool trial = false;  // compared and shown, but indicts nothing
  bool operator==(const CustomMetric&) const = default;
};

inline constexpr std::size_t kMaxCustomMetrics = 200;
// The end of the name of a histogram's buckets.
inline constexpr std::string_view kBucketSuffix = "_bucket";

}  // namespace limpet
