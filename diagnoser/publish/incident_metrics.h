// incident_metrics.h: what the history of incidents says as metrics.
//
// Threads: pure.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/incidents/incident.h"
#include "diagnoser/incidents/precision.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

// The state of the history and of the sinks.
struct SinkStatus {
  std::int64_t waiting = 0;
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;   // attempts
  std::uint64_t dropped = 0;  // never sent: the queue was full
  bool operator==(const SinkStatus&) const = default;
};
struct HistoryStatus {
  bool on_disk = false;  // otherwise in memory alone
  std::int64_t bytes = 0;
  std::uint64_t dropped = 0;  // changes that could not be kept
  std::map<std::string, SinkStatus> sinks;
};
// The latest answer to an open incident.
struct OpenAnswer {
  std::string node;
  std::string cause;
  std::string answer;
};

[[nodiscard]] Families IncidentFamilies(const HistoryStatus& status,
                                        std::span<const MeasuredPrecision> precision,
                                        std::span<const OpenAnswer> answers);

}  // namespace limpet
