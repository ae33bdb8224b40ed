// incident_export.h: incidents for spreadsheets and programs: CSV (RFC 4180) and JSON lines.
//
// Threads: pure.
#pragma once

#include <span>
#include <string>

#include "diagnoser/incidents/incident.h"

namespace limpet {

// Names of the columns, with its newline.
[[nodiscard]] std::string IncidentCsvHeader();
// One incident with the latest answer to it; times in ISO 8601.
[[nodiscard]] std::string IncidentCsvRow(const IncidentRecord& record,
                                         std::span<const IncidentAnswer> answers);
// limpet.verdict.v1 with how things stand and all answers, a line.
[[nodiscard]] std::string IncidentJsonLine(const IncidentRecord& record,
                                           std::span<const IncidentAnswer> answers);

}  // namespace limpet
