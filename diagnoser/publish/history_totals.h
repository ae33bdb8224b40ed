// history_totals.h: incidents of months, counted by server and by cause.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/incidents/incident.h"
#include "diagnoser/incidents/precision.h"

namespace limpet {

// The incidents of a span, as a history has them.
struct HistorySpan {
  UnixTime from;
  UnixTime to;
  std::vector<IncidentRecord> incidents;          // by begin; documents are not read
  std::map<std::string, IncidentAnswer> answers;  // the latest of each, by id
  std::vector<MeasuredPrecision> precision;       // of the answers of kPrecisionSpan up to `to`
};

struct HistoryTotal {
  std::size_t incidents = 0;
  Duration time{};  // in them, within the span
  std::set<std::string> causes;
  std::size_t right = 0;  // by people's answers
  std::size_t wrong = 0;
};

// Only incidents with an indicted server: those that a worse one explained were named to nobody.
struct HistoryTotals {
  std::size_t incidents = 0;
  std::vector<std::pair<std::string, HistoryTotal>> servers;  // the longest time first
  std::map<std::string, HistoryTotal> causes;
};

[[nodiscard]] HistoryTotals TotalsOf(const HistorySpan& span);

// "disk-busy, disk-hog".
[[nodiscard]] std::string CausesText(const HistoryTotal& total);
// "fixed by ann: new cable"; empty: the incident has no answer.
[[nodiscard]] std::string AnswerText(const HistorySpan& span, const IncidentRecord& record);

// The servers as a table for a terminal, or as JSON; `limit` of them.
[[nodiscard]] std::string TopOfHistory(const HistorySpan& span, std::size_t limit);
[[nodiscard]] std::string TopOfHistoryJson(const HistorySpan& span, std::size_t limit);
// A line an incident of the node; empty: there is none.
[[nodiscard]] std::string ExplainHistory(const HistorySpan& span, const std::string& node);

}  // namespace limpet
