#include "diagnoser/publish/series_api.h"

#include <algorithm>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/api_seconds.h"

namespace limpet {
namespace {

// As the column `degree` of frames says it.
double DegreeValue(std::uint8_t quantised) {
  return Dequantised(ColumnRows()[static_cast<std::size_t>(Column::kDegree)], quantised);
}

// The columns of a series, value by value.
class SeriesWriter {
 public:
  explicit SeriesWriter(const SeriesKey& key) : key_(key), factor_(ApiFactor(key.metric)) {}

  void Add(UnixTime at, float value, float median, float low, float high) {
    time_.push_back(ApiSeconds(at));
    value_.push_back(NumberOrNull(static_cast<double>(value) * factor_));
    median_.push_back(NumberOrNull(static_cast<double>(median) * factor_));
    low_.push_back(NumberOrNull(static_cast<double>(low) * factor_));
    high_.push_back(NumberOrNull(static_cast<double>(high) * factor_));
  }
  [[nodiscard]] bool IsEmpty() const { return time_.empty(); }
  [[nodiscard]] ApiJson Finish(const std::string& component, Duration step) {
    return {{"component", component},
            {"peer_group", key_.group},
            {"preset", key_.preset},
            {"metric", MetricLabel(key_.metric)},
            {"unit", ApiUnit(key_.metric)},
            {"step_seconds", ToSeconds(step)},
            {"time", std::move(time_)},
            {"value", std::move(value_)},
            {"peer_median", std::move(median_)},
            {"peer_low", std::move(low_)},
            {"peer_high", std::move(high_)}};
  }

 private:
  SeriesKey key_;
  double factor_;
  ApiJson time_ = ApiJson::array();
  ApiJson value_ = ApiJson::array();
  ApiJson median_ = ApiJson::array();
  ApiJson low_ = ApiJson::array();
  ApiJson high_ = ApiJson::array();
};

const PeerBand::Own* FindOwn(const PeerBand& band, const std::string& component) {
  const auto own = std::find_if(band.own.begin(), band.own.end(), [&](const PeerBand::Own& one) {
    return one.component == component;
  });
  return own == band.own.end() ? nullptr : &*own;
}

Duration FindShift(const Cluster& cluster, const std::string& preset) {
  for (const auto& one : cluster.presets) {
    if (one.preset == preset) {
      return one.shift;
    }
  }
  return {};
}

}  // namespace

std::optional<std::size_t> FindPlace(const WindowPoint& point, const std::string& component) {
  const auto& names = *point.names;
  const auto found = std::lower_bound(names.begin(), names.end(), component);
  if (found == names.end() || *found != component) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - names.begin());
}

ApiJson MeansJson(const SeriesKey& key, const WindowHistory::Points& points,
                  const std::string& component, Duration shift, std::optional<UnixTime> from,
                  std::optional<UnixTime> to) {
  SeriesWriter series(key);
  auto degrees = ApiJson::array();
  for (const auto& point : points) {
    const auto place = FindPlace(*point, component);
    if (!place || (from && point->end < *from) || (to && point->end > *to)) {
      continue;
    }
    const auto peers = PeersOf(*point, place);
    series.Add(point->end, point->means[*place], peers.median, peers.low, peers.high);
    degrees.push_back(DegreeValue(point->degrees[*place]));
  }
  if (series.IsEmpty()) {
    return nullptr;
  }
  auto json = series.Finish(component, shift);
  json["degree"] = std::move(degrees);
  return json;
}

ApiJson StepsJson(const std::vector<std::shared_ptr<const PeerBand>>& bands,
                  const std::string& component) {
  if (bands.empty()) {
    return nullptr;
  }
  const auto& first = *bands.front();
  SeriesWriter series({.preset = first.preset, .group = first.group, .metric = first.metric});
  UnixTime until;
  for (const auto& band : bands) {
    const auto* const own = FindOwn(*band, component);
    const auto steps = band->median.size();
    for (std::size_t i = 0; own != nullptr && i < steps; ++i) {
      const auto at = band->end - band->step * static_cast<Duration::rep>(steps - 1 - i);
      // Windows overlap, and both show the same there.
      if (at > until) {
        series.Add(at, own->samples[i], band->median[i], band->low[i], band->high[i]);
      }
    }
    until = std::max(until, band->end);
  }
  return series.IsEmpty() ? ApiJson(nullptr) : series.Finish(component, first.step);
}

ApiJson DistributionsJson(const std::vector<std::shared_ptr<const PeerBand>>& bands,
                          const std::string& component) {
  const auto* const own = bands.empty() ? nullptr : FindOwn(*bands.back(), component);
  if (own == nullptr || bands.back()->edges.empty()) {
    return nullptr;
  }
  const auto factor = ApiFactor(bands.back()->metric);
  auto edges = ApiJson::array();
  for (const float edge : bands.back()->edges) {
    edges.push_back(static_cast<double>(edge) * factor);
  }
  return {{"edges", std::move(edges)},
          {"component", own->shares},
          {"peers", bands.back()->peer_shares}};
}

std::optional<std::string> SeriesListJson(const LiveView& live, const SeriesQuery& query) {
  const auto place = live.cluster->Find(query.node);
  if (!place) {
    return std::nullopt;
  }
  const auto metric = MetricLabel(query.metric);
  auto list = ApiJson::array();
  for (const auto& component : live.cluster->nodes[*place].components) {
    if (!query.component.empty() && query.component != component.component) {
      continue;
    }
    const auto& group = live.cluster->groups[component.group].group;
    for (const auto& [key, points] : *live.windows) {
      if (key.group != group || (!metric.empty() && MetricLabel(key.metric) != metric)) {
        continue;
      }
      auto series = MeansJson(key, points, component.component,
                              FindShift(*live.cluster, key.preset), query.from, query.to);
      if (!series.is_null()) {
        list.push_back(std::move(series));
      }
    }
  }
  return PrintOneLine({{"node", query.node}, {"series", std::move(list)}}) + "\n";
}

}  // namespace limpet
