// series_api.h: charts as JSON: window means out of the history, and the steps of bands.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/history/recorder.h"
#include "diagnoser/publish/api_json.h"

namespace limpet {

struct SeriesQuery {
  std::string node;
  std::string component;  // empty: all of the node
  std::string metric;     // a name or label; empty: all
  std::optional<UnixTime> from;
  std::optional<UnixTime> to;
};
// The answer of /api/v1/series; nullopt: there is no such node.
[[nodiscard]] std::optional<std::string> SeriesListJson(const LiveView& live,
                                                        const SeriesQuery& query);

// Window means of one component; null when there are none. `shift`: between two window ends.
[[nodiscard]] ApiJson MeansJson(const SeriesKey& key, const WindowHistory::Points& points,
                                const std::string& component, Duration shift,
                                std::optional<UnixTime> from, std::optional<UnixTime> to);

// The steps of one component in the bands of one series, sorted by end; null without bands.
[[nodiscard]] ApiJson StepsJson(const std::vector<std::shared_ptr<const PeerBand>>& bands,
                                const std::string& component);
// Returns the bins of the last band; null without samples.
[[nodiscard]] ApiJson DistributionsJson(const std::vector<std::shared_ptr<const PeerBand>>& bands,
                                        const std::string& component);

// The place of a component in a point; nullopt: it took no part.
[[nodiscard]] std::optional<std::size_t> FindPlace(const WindowPoint& point,
                                                   const std::string& component);

}  // namespace limpet
