#include "exporter/common/exposition/prometheus_bridge.h"

#include <prometheus/metric_family.h>

#include <algorithm>
#include <string>
#include <utility>

namespace limpet {
namespace {

LabelsPtr Labels(const prometheus::ClientMetric& metric) {
  if (metric.label.empty()) {
    return nullptr;
  }
  LabelSet::Pairs pairs;
  for (const auto& label : metric.label) {
    pairs.emplace_back(label.name, label.value);
  }
  return MakeLabels(pairs);
}

}  // namespace

prometheus::Family<prometheus::Counter>& AddCounters(prometheus::Registry& registry,
                                                     const MetricInfo& info) {
  return prometheus::BuildCounter()
      .Name(std::string(info.name))
      .Help(std::string(info.help))
      .Register(registry);
}

prometheus::Family<prometheus::Gauge>& AddGauges(prometheus::Registry& registry,
                                                 const MetricInfo& info) {
  return prometheus::BuildGauge()
      .Name(std::string(info.name))
      .Help(std::string(info.help))
      .Register(registry);
}

void RaiseTo(prometheus::Counter& counter, double total) {
  // prometheus-cpp ignores a negative increment; a total that seems to fall (the clock of a thread
  // that has just ended) must not.
  counter.Increment(std::max(0.0, total - counter.Value()));
}

Families FromPrometheus(std::span<const prometheus::MetricFamily> families,
                        std::span<const MetricInfo* const> rows) {
  Families result;
  for (const auto& family : families) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto* info) { return info->name == family.name; });
    const bool counter = family.type == prometheus::MetricType::Counter;
    // Not an error: a registry may also hold what another page shows.
    if (row == rows.end() || (!counter && family.type != prometheus::MetricType::Gauge)) {
      continue;
    }
    Family converted{*row, {}};
    for (const auto& metric : family.metric) {
      converted.samples.push_back(
          {Labels(metric), counter ? metric.counter.value : metric.gauge.value});
    }
    if (!converted.samples.empty()) {
      result.push_back(std::move(converted));
    }
  }
  return result;
}

}  // namespace limpet
