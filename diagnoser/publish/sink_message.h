// sink_message.h: what a sink is told of an incident, in its own format.
//
//   webhook       CloudEvents 1.0, structured JSON, whose data is limpet.verdict.v1
//   slack         {"text": …}, as Slack, Mattermost and others take
//   pagerduty     Events API v2: trigger, acknowledge, resolve, with the id as dedup_key
//   alertmanager  API v2: an alert whose labels are the same at every diagnoser of the targets
//   otlp          OpenTelemetry logs as JSON
//   kubernetes-event      an Event about the Node
//   kubernetes-condition  a condition of the Node a family of causes, such as LimpetStorage
//   syslog        a line as syslog(3) writes it
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>

#include "diagnoser/incidents/incident.h"
#include "diagnoser/incidents/settings.h"

namespace limpet {

struct SinkMessage {
  std::string change;  // "began", "answered", "ended", "goes-on"
  IncidentRecord record;
  std::optional<IncidentAnswer> answer;
  UnixTime at;
  std::string url;  // IncidentSettings::url
};

// An alert that is not repeated lasts so long.
inline constexpr Duration kAlertLasts = std::chrono::minutes(5);

[[nodiscard]] std::string SinkBody(const SinkSettings& sink, const SinkMessage& message);
[[nodiscard]] std::string SinkContentType(SinkKind kind);
// False: an alert or a condition, which an answer neither begins nor ends.
[[nodiscard]] bool TakesAnswers(SinkKind kind);

}  // namespace limpet
