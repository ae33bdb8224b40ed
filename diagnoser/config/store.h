// store.h: the sections `source` and `prometheus` of the configuration.
//
//   source: prometheus                  # default: scrape
//   prometheus: {url: "http://mimir/prometheus", step: 15s, lag: 45s}
//
// Threads: pure, but for the password files it reads through `read_file`.
#pragma once

#include <optional>
#include <span>

#include "diagnoser/config/targets.h"
#include "diagnoser/custom/metric.h"
#include "diagnoser/mapping/rules.h"
#include "diagnoser/sources/store.h"

namespace limpet {

// nullopt when targets are scraped. Problems are added to those of `top`.
[[nodiscard]] std::optional<StoreSettings> ReadStore(yaml::MapReader& top,
                                                     const ReadTextFile& read_file);

// What the groups need of a store with this step; congestion windows only when the step is short
// enough for them (series/gauge_age.h).
[[nodiscard]] StoreWants WantsOf(std::span<const PeerGroupRule> groups, Duration step,
                                 std::span<const CustomMetric> custom = {});

}  // namespace limpet
