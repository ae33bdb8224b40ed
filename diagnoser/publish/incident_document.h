// incident_document.h: incidents as JSON: limpet.verdict.v1 (docs/formats/verdict.v1.json), which
// the history keeps, sinks send and /api/v1/incidents answers.
//
// Threads: pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "diagnoser/history/verdict_history.h"
#include "diagnoser/incidents/acts.h"
#include "diagnoser/incidents/incident.h"
#include "diagnoser/incidents/precision.h"
#include "diagnoser/incidents/tracker.h"
#include "diagnoser/publish/api_json.h"

namespace limpet {

// Knowledge beside the verdict.
struct IncidentContext {
  const PipelineView* view = nullptr;
  std::span<const VerdictPtr> shown;  // of the live page, for the peers' bands; may be empty
  std::string url;                    // IncidentSettings::url
};

// Describes the record by the verdict that is its worst and what was known then.
[[nodiscard]] IncidentTracker::Description DescribeIncident(const IncidentRecord& record,
                                                            const VerdictEvent& verdict,
                                                            const IncidentContext& context);

// The document with how things stand: state, ended, ending, last, episodes, answers. A document
// that cannot be read leaves these alone.
[[nodiscard]] ApiJson IncidentToJson(const IncidentRecord& record,
                                     std::span<const IncidentAnswer> answers);
[[nodiscard]] ApiJson AnswerToJson(const IncidentAnswer& answer);
[[nodiscard]] ApiJson ActToJson(const Act& act);
// A list has this of each: everything but the document.
[[nodiscard]] ApiJson IncidentRow(const IncidentRecord& record);
// /api/v1/precision.
[[nodiscard]] std::string PrecisionJson(std::span<const MeasuredPrecision> rows);

}  // namespace limpet
