// store.h: a Prometheus-compatible store as the source of readings (source: prometheus): what is
// asked of it.
//
// One range query a metric, on a grid of `step`. The value at a step is the latest reading before
// it, so that the reading's own instant is asked for too: limpet-exporter's, else timestamp() of
// the series. A step without a new reading gives none, instead of one of the wrong time.
// Threads: pure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/metrics/kinds.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/time.h"

namespace limpet {

struct StoreSettings {
  Endpoint endpoint;  // its path is what stands before /api/v1/…
  Duration step = std::chrono::seconds(15);
  Duration lag = std::chrono::seconds(15);      // how far behind the clock it is read
  Duration timeout = std::chrono::seconds(30);  // of a query
  Duration catch_up = std::chrono::hours(1);    // how far back it is read at most
  std::string selector;                         // more matchers: job="node",cluster="a"
  std::string node_label = "instance";          // a port is left out
  std::string role_label = "role";
  std::string role = "server";  // without that label
  bool operator==(const StoreSettings&) const = default;
};

// The end of the names of a classic histogram's series; its native one is named without.
inline constexpr std::string_view kBucketEnding = "_bucket";

// Steps that are read at once when there are several.
inline constexpr int kMaxSteps = 16;

// What the peer groups want.
struct StoreWants {
  std::set<EntityKind> kinds;         // the series of these
  std::set<std::string> series = {};  // and these, by name: of metrics of the configuration
  bool operator==(const StoreWants&) const = default;
};

struct StoreQuery {
  enum class Kind {
    kReadings,
    kSampled,  // limpet_sample_timestamp_seconds: the value is the readings' instant
    kScraped,  // timestamp(): the same, as the store saw it; labels job, instance and the node's
  };
  Kind kind = Kind::kReadings;
  std::string text;  // PromQL
};

[[nodiscard]] std::vector<StoreQuery> StoreQueries(const StoreSettings& settings,
                                                   const StoreWants& wants);

// The path of a range query; first and last are steps.
[[nodiscard]] std::string RangePath(const StoreSettings& settings, const StoreQuery& query,
                                    UnixTime first, UnixTime last);

}  // namespace limpet
