// range_answer.h: what a Prometheus-compatible API answers to /api/v1/query_range.
//
//   {"status":"success","data":{"resultType":"matrix","result":[
//     {"metric":{"__name__":"node_disk_io_time_seconds_total","instance":"io01:9100",…},
//      "values":[[1700000000,"12.5"],[1700000015,"13"]]}]}}
// and of native histograms, instead of "values",
//      "histograms":[[1700000000,{"count":"3","sum":"1","buckets":[[0,"0.25","0.5","3"]]}]]
//
// Read in one pass without a tree. Bounded by RangeLimits; the text itself by the fetcher.
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/sources/native_histogram.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

struct RangeLimits {
  std::size_t max_series = 2'000'000;
  std::size_t max_points = 20'000'000;  // buckets count as points
  std::size_t max_labels = 64;          // of a series
};

struct RangeSeries {
  struct Point {
    UnixTime at;  // the step, not the reading's own instant
    double value = 0;
  };
  std::string name;                                         // __name__; may be empty
  std::vector<std::pair<std::string, std::string>> labels;  // the others, as they came
  std::vector<Point> points;                                // oldest first
  std::vector<NativePoint> histograms;                      // the same; one of both is not empty

  [[nodiscard]] std::string_view Label(std::string_view label) const;
};

struct RangeAnswer {
  std::vector<RangeSeries> series;
  std::string partial;  // why the store says that something is missing; empty: nothing is
};

// An error for everything but a matrix whose points lie on the grid from `first` to `last` by
// `step`. Series without points are left out.
[[nodiscard]] Result<RangeAnswer> ParseRangeAnswer(std::string_view body, UnixTime first,
                                                   UnixTime last, Duration step,
                                                   const RangeLimits& limits = {});

// Returns of {"status":"error","error":"…"} the reason, for people; empty when it is none.
[[nodiscard]] std::string ReadReason(std::string_view body);

}  // namespace limpet
