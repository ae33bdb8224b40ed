// top.h: the anomalies that last, the worst first ([Kasick12 §4.3], Fig. 5): who has been flagged
// in the most windows of late, metric by metric.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/publish/api_json.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

struct TopEntry {
  std::string preset;
  std::string metric;  // its label
  std::string group;
  std::string component;  // "node/device", or "node"
  std::uint32_t accumulator = 0;
  bool flagged = false;  // in the last window
  double degree = 0;     // filtered, of the last window
  std::string cause;     // of its node now; empty: none
  std::string kind;      // of a disk with a high await now: component or workload; else empty
  bool operator==(const TopEntry&) const = default;
};

struct TopList {
  std::map<std::string, UnixTime> window_ends;  // by preset: last closed window
  std::vector<TopEntry> entries;  // by preset and metric, then as [Kasick12] lists them: by
                                  // decreasing accumulator, then peer group and component
  std::string not_judged;         // who is not, and why; empty: every server of a group is
};

inline constexpr std::size_t kMaxTopEntries = 1000;  // of one preset and metric

// Accumulators over 0 of `metric` (empty: of each), at most `limit` of a preset and metric.
[[nodiscard]] TopList MakeTopList(const PipelineView& view, std::string_view metric,
                                  std::size_t limit);

// The answer of /api/v1/persistent, and back; anything may stand in `text`.
[[nodiscard]] std::string TopJson(const TopList& list);
[[nodiscard]] ApiJson TopToJson(const TopList& list);
[[nodiscard]] Result<TopList> ParseTopJson(std::string_view text);

// A table for a terminal; without entries it says so. `colours`: by ANSI escapes, red for what is
// flagged now.
[[nodiscard]] std::string TopTable(const TopList& list, std::string_view metric,
                                   bool colours = false);

// Every metric that has accumulators, by its label or as the papers call it.
[[nodiscard]] bool IsTopMetric(std::string_view metric);

}  // namespace limpet
