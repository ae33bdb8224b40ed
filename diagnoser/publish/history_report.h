// history_report.h: incidents of months as one HTML page that needs nothing else: which servers,
// what causes, what people answered.
//
// Bounded: kMaxRows incidents are listed, the latest; all are counted. Threads: pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "diagnoser/incidents/incident.h"

namespace limpet {

struct HistoryReport {
  static constexpr std::size_t kMaxRows = 2000;

  std::string program;  // and its version
  UnixTime from;
  UnixTime to;
  std::vector<IncidentRecord> incidents;          // by begin; documents are not read
  std::map<std::string, IncidentAnswer> answers;  // the latest of each, by id
};

[[nodiscard]] std::string HistoryReportHtml(const HistoryReport& report);

}  // namespace limpet
