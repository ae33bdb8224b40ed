#include "diagnoser/publish/incident_metrics.h"

#include <utility>

#include "exporter/common/exposition/catalog/incidents.h"

namespace limpet {
namespace {

Family One(const MetricInfo& info, double value) {
  Family family{.info = &info, .samples = {}};
  family.samples.push_back({.labels = nullptr, .value = value});
  return family;
}

}  // namespace

// Families without samples are there too: their HELP tells what could come.
Families IncidentFamilies(const HistoryStatus& status, std::span<const MeasuredPrecision> precision,
                          std::span<const OpenAnswer> answers) {
  Families families;
  families.push_back(One(catalog::kIncidentHistoryUp, status.on_disk ? 1 : 0));
  families.push_back(One(catalog::kIncidentHistoryBytes, static_cast<double>(status.bytes)));
  families.push_back(One(catalog::kIncidentsDropped, static_cast<double>(status.dropped)));
  Family answered{.info = &catalog::kIncidentAnswered, .samples = {}};
  for (const auto& one : answers) {
    answered.samples.push_back(
        {MakeLabels({{"node", one.node}, {"cause", one.cause}, {"answer", one.answer}}), 1.0});
  }
  Family right{.info = &catalog::kMeasuredPrecision, .samples = {}};
  Family count{.info = &catalog::kAnsweredIncidents, .samples = {}};
  for (const auto& row : precision) {
    const auto labels = MakeLabels({{"cause", row.cause}, {"metric", row.metric}});
    right.samples.push_back({labels, row.Value()});
    count.samples.push_back({labels, static_cast<double>(row.right + row.wrong)});
  }
  Family waiting{.info = &catalog::kSinkWaiting, .samples = {}};
  Family sent{.info = &catalog::kSinkSent, .samples = {}};
  Family dropped{.info = &catalog::kSinkDropped, .samples = {}};
  for (const auto& [name, sink] : status.sinks) {
    const auto labels = MakeLabels({{"sink", name}});
    waiting.samples.push_back({labels, static_cast<double>(sink.waiting)});
    sent.samples.push_back(
        {MakeLabels({{"sink", name}, {"result", "ok"}}), static_cast<double>(sink.sent)});
    sent.samples.push_back(
        {MakeLabels({{"sink", name}, {"result", "failed"}}), static_cast<double>(sink.failed)});
    dropped.samples.push_back({labels, static_cast<double>(sink.dropped)});
  }
  for (auto* const family : {&answered, &right, &count, &waiting, &sent, &dropped}) {
    families.push_back(std::move(*family));
  }
  return families;
}

}  // namespace limpet
