#include "diagnoser/evidence/windows/server_window.h"

#include <algorithm>

namespace limpet {
namespace {

bool IsGoingOn(const MetricRecord& record) {
  const auto& windows = record.recent;
  const auto last = windows.size() - std::min<std::size_t>(windows.size(), 2);
  return std::any_of(windows.begin() + static_cast<std::ptrdiff_t>(last), windows.end(),
                     [](const FilterEntry& window) { return window.anomalous; });
}

Evidence Explain(const ServerRound& round, const WindowEvent& window, const Comparison& comparison,
                 std::size_t place, const MetricRecord& record) {
  return {.component = window.components.back().component,
          .group = window.group,
          .metric = window.metric,
          .degree = record.degree,
          .s = comparison.s[place],
          .threshold = round.preset->threshold_factor,
          .direction = comparison.direction[place],
          .mean = comparison.mean[place],
          .peer_median = comparison.median_mean,
          .threshold_origin = ThresholdOrigin::kDefault,
          .peers = window.n - 1,
          .windows = AnomalousEnds(record.recent),
          .accumulator = record.accumulator,
          .episodes = EpisodesOfDay(record.episodes, round.end)};
}

}  // namespace

ServerWindow RecordServers(const ServerRound& round, std::string_view metric,
                           std::span<const std::string> servers, const Comparison& comparison,
                           ComponentRecords& records, const OnRecord& on_record) {
  const double threshold = round.preset->threshold_factor;
  ServerWindow result;
  auto& window = result.window;
  window = {.end = round.end,
            .preset = round.preset->name,
            .group = *round.group,
            .metric = std::string(metric),
            .n = servers.size(),
            .undetermined = comparison.undetermined,
            .components = {}};
  for (std::size_t place = 0; !comparison.undetermined && place < servers.size(); ++place) {
    const auto& server = servers[place];
    const double degree = comparison.degree[place];
    auto& record = records.Filter(
        records.Find({.name = server, .node = server, .device = "", .entities = {}}), metric,
        round.mode, {.end = round.end, .degree = degree, .anomalous = degree > threshold},
        threshold);
    record.flagged = record.flagged && IsGoingOn(record);
    if (on_record) {
      on_record(place, record);
    }
    window.components.push_back({.component = server,
                                 .degree = record.degree,
                                 .flagged = record.flagged,
                                 .direction = comparison.direction[place],
                                 .window_degree = degree,
                                 .mean = comparison.mean[place],
                                 .peer_median = comparison.median_mean});
    if (record.flagged) {
      result.flags.push_back(Explain(round, window, comparison, place, record));
    }
  }
  return result;
}

}  // namespace limpet
