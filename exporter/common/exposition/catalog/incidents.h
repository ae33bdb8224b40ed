// incidents.h: the rows of the catalogue about what became of verdicts: the history on disk, the
// answers of people, those who are told.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kIncidentAnswered{
    .name = "incident_answered",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "node,cause,answer",
    .help =
        "Always 1; the latest answer to an incident that goes on: fixed, false-alarm, known, "
        "maintenance or scrub."};
inline constexpr MetricInfo kMeasuredPrecision{
    .name = "measured_precision_ratio",
    .type = MetricType::kGauge,
    .unit = "ratio",
    .labels = "cause,metric",
    .help =
        "Of the incidents answered in the last 90 days, the share that were faults (fixed, "
        "known); an empty metric: all of the cause."};
inline constexpr MetricInfo kAnsweredIncidents{
    .name = "answered_incidents",
    .type = MetricType::kGauge,
    .unit = "incidents",
    .labels = "cause,metric",
    .help = "How many incidents limpet_measured_precision_ratio rests on."};
inline constexpr MetricInfo kIncidentHistoryUp{
    .name = "diagnoser_incident_history_up",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "",
    .help =
        "1 while incidents are written to the state folder; 0: without one, or it cannot be "
        "written, and a restart forgets them."};
inline constexpr MetricInfo kIncidentHistoryBytes{
    .name = "diagnoser_incident_history_bytes",
    .type = MetricType::kGauge,
    .unit = "bytes",
    .labels = "",
    .help = "Size of the incidents that are kept; incidents.max_bytes bounds it."};
inline constexpr MetricInfo kIncidentsDropped{
    .name = "diagnoser_incident_changes_dropped_total",
    .type = MetricType::kCounter,
    .unit = "changes",
    .labels = "",
    .help = "Changes of incidents that are not in the history, because the disk did not keep up."};
inline constexpr MetricInfo kSinkWaiting{.name = "diagnoser_sink_waiting",
                                         .type = MetricType::kGauge,
                                         .unit = "messages",
                                         .labels = "sink",
                                         .help = "Messages that a sink has not taken yet."};
inline constexpr MetricInfo kSinkSent{
    .name = "diagnoser_sink_attempts_total",
    .type = MetricType::kCounter,
    .unit = "attempts",
    .labels = "sink,result",
    .help = "Messages that a sink was sent, by result: ok or failed. A failed one is tried again."};
inline constexpr MetricInfo kSinkDropped{
    .name = "diagnoser_sink_dropped_total",
    .type = MetricType::kCounter,
    .unit = "messages",
    .labels = "sink",
    .help = "Messages that a sink will never get, because its queue was full."};

inline constexpr std::array kIncidents = {
    &kIncidentAnswered,     &kMeasuredPrecision, &kAnsweredIncidents, &kIncidentHistoryUp,
    &kIncidentHistoryBytes, &kIncidentsDropped,  &kSinkWaiting,       &kSinkSent,
    &kSinkDropped};

}  // namespace limpet::catalog
