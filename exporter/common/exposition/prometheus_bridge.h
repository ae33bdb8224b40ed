// prometheus_bridge.h: metrics kept in a prometheus-cpp registry as families of ours.
//
// For the program's own metrics only: the registry copies every string at each collection, which is
// nothing for a handful and too much for a thousand devices.
// Threads: pure.
#pragma once

#include <span>

#include "exporter/common/exposition/sample.h"

namespace prometheus {
struct MetricFamily;
}

namespace limpet {

// In the order given. Counters and gauges whose name is a row's, prefix left out; the others, and
// other kinds of metrics, have no place on the page.
[[nodiscard]] Families FromPrometheus(std::span<const prometheus::MetricFamily> families,
                                      std::span<const MetricInfo* const> rows);

}  // namespace limpet
