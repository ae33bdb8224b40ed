// prometheus_bridge.h: what a program says about itself: rows of the catalogue kept in a
// prometheus-cpp registry, and the registry as families of ours.
//
// The one way for both programs' own metrics: values that outlive a tick or a window and are
// written from several threads. The registry copies every string at each collection, which is
// nothing for a handful and too much for a thousand devices; so what is measured anew each time
// (devices, connections, the passes of the sampler) is made as Families without it.
//
//   prometheus::Registry registry;
//   auto& saves = AddCounters(registry, catalog::kStateSaves).Add({{"result", "ok"}});
//   saves.Increment();
//   page = FromPrometheus(registry.Collect(), catalog::kDiagnoser);
//
// Threads: any; counters and gauges are atomic, the registry locks.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <span>

#include "exporter/common/exposition/sample.h"

namespace limpet {

// The row as a family of the registry, without members; `.Add({})` for the one without labels. The
// registry owns it.
[[nodiscard]] prometheus::Family<prometheus::Counter>& AddCounters(prometheus::Registry& registry,
                                                                   const MetricInfo& info);
[[nodiscard]] prometheus::Family<prometheus::Gauge>& AddGauges(prometheus::Registry& registry,
                                                               const MetricInfo& info);

// Brings a counter to a total that is counted elsewhere; a smaller one changes nothing.
void RaiseTo(prometheus::Counter& counter, double total);

// Returns families in the order given. Counters and gauges whose name is a row's, prefix left out;
// the others, and other kinds of metrics, have no place on the page.
[[nodiscard]] Families FromPrometheus(std::span<const prometheus::MetricFamily> families,
                                      std::span<const MetricInfo* const> rows);

}  // namespace limpet
