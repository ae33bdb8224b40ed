// live_api.h: what the live page reads beside the stream (docs/openapi.yaml): cluster, verdicts
// over time, heat strips, persistent anomalies.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/history/recorder.h"
#include "diagnoser/publish/api_json.h"

namespace limpet {

struct TimeSpan {
  UnixTime from;
  UnixTime to;
};

// Facts that the page is told beside the view.
struct PageFacts {
  std::string_view program;           // version
  std::string grafana;                // its address; empty: not told
  std::optional<TimeSpan> recording;  // of a replay
};
// /api/v1/cluster.
[[nodiscard]] std::string ClusterJson(const LiveView& live, const PageFacts& facts);

// /api/v1/verdicts with from or to: those that overlap the span.
[[nodiscard]] std::string VerdictHistoryJson(const LiveView& live, const TimeSpan& span);
[[nodiscard]] ApiJson VerdictJson(const VerdictRecord& record);
// The data of an event `verdict`.
[[nodiscard]] std::string VerdictLine(const VerdictRecord& record);

// /api/v1/heat: steps that overlap the span.
[[nodiscard]] std::string HeatJson(const LiveView& live, const std::optional<TimeSpan>& span);

// /api/v1/top.
[[nodiscard]] std::string TopAllJson(const LiveView& live, bool hourly);

}  // namespace limpet
