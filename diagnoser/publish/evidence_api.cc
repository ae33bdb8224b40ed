#include "diagnoser/publish/evidence_api.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/checklist.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/live_api.h"
#include "diagnoser/publish/series_api.h"

namespace limpet {
namespace {

using Bands = std::vector<std::shared_ptr<const PeerBand>>;

const ClusterPreset* FindPreset(const Cluster& cluster, const std::string& preset) {
  const auto found = std::find_if(cluster.presets.begin(), cluster.presets.end(),
                                  [&](const ClusterPreset& one) { return one.preset == preset; });
  return found == cluster.presets.end() ? nullptr : &*found;
}

Bands PickBands(const VerdictRecord& record, const Evidence& evidence) {
  Bands bands;
  for (const auto& band : record.bands) {
    const bool same_scale = evidence.scale.empty() == (band->preset == record.worst.preset);
    if (same_scale && band->group == evidence.group && band->metric == evidence.metric) {
      bands.push_back(band);
    }
  }
  std::sort(bands.begin(), bands.end(),
            [](const auto& a, const auto& b) { return a->end < b->end; });
  return bands;
}

const WindowPoint::Odd* FindOdd(const WindowPoint& point, const std::string& component) {
  const auto place = FindPlace(point, component);
  for (const auto& odd : point.odd) {
    if (place && odd.place == *place) {
      return &odd;
    }
  }
  return nullptr;
}

ApiJson WindowJson(UnixTime end, Duration length, const WindowPoint::Odd* odd, bool anomalous) {
  return {{"begin", ApiSeconds(end - length)},
          {"end", ApiSeconds(end)},
          {"degree",
           odd == nullptr ? ApiJson(nullptr) : NumberOrNull(static_cast<double>(odd->degree))},
          {"threshold",
           odd == nullptr ? ApiJson(nullptr) : NumberOrNull(static_cast<double>(odd->threshold))},
          {"effect_ratio",
           odd == nullptr ? ApiJson(nullptr) : NumberOrNull(static_cast<double>(odd->effect))},
          {"direction", Name(odd == nullptr ? Direction::kNone : odd->direction)},
          {"anomalous", anomalous}};
}

// The last 2k-1 windows up to the verdict's. Of a time scale only those are known that decided.
ApiJson WindowsJson(const LiveView& live, const VerdictRecord& record, const Evidence& evidence,
                    const WindowHistory::Points* points, Duration band_length) {
  auto list = ApiJson::array();
  const auto* const preset = FindPreset(*live.cluster, record.worst.preset);
  if (!evidence.scale.empty() || points == nullptr || preset == nullptr) {
    const auto length = evidence.scale.empty() && preset != nullptr ? preset->window : band_length;
    for (const auto end : evidence.windows) {
      list.push_back(WindowJson(end, length, nullptr, true));
    }
    return list;
  }
  const auto oldest =
      record.worst.end - preset->shift * static_cast<Duration::rep>(2 * preset->k - 2);
  for (const auto& point : *points) {
    if (point->end >= oldest && point->end <= record.worst.end &&
        FindPlace(*point, evidence.component)) {
      const auto* const odd = FindOdd(*point, evidence.component);
      list.push_back(WindowJson(point->end, preset->window, odd, odd != nullptr && odd->anomalous));
    }
  }
  return list;
}

ApiJson InUnit(const std::optional<double>& value, std::string_view metric) {
  return value ? ApiJson(*value * ApiFactor(metric)) : ApiJson(nullptr);
}

ApiJson NumbersJson(const Evidence& evidence) {
  return {{"component", evidence.component},
          {"peer_group", evidence.group},
          {"metric", MetricLabel(evidence.metric)},
          {"unit", evidence.storage ? evidence.storage->unit : ApiUnit(evidence.metric)},
          {"scale", evidence.scale},
          {"direction", Name(evidence.direction)},
          {"degree", evidence.degree},
          {"threshold", evidence.threshold},
          {"threshold_origin", Name(evidence.threshold_origin)},
          {"effect_ratio", OrNull(evidence.effect)},
          {"mean", InUnit(evidence.mean, evidence.metric)},
          {"peer_median", InUnit(evidence.peer_median, evidence.metric)},
          {"peers", evidence.peers},
          {"far", OrNull(evidence.far)},
          {"far_peers", evidence.far_peers},
          {"near_peers", evidence.near_peers},
          {"accumulator", evidence.accumulator},
          {"episodes", evidence.episodes},
          {"text", Explain(evidence)},
          {"background", Background(evidence)}};
}

ApiJson MetricJson(const LiveView& live, const VerdictRecord& record, const Evidence& evidence) {
  const SeriesKey key{
      .preset = record.worst.preset, .group = evidence.group, .metric = evidence.metric};
  const auto found = live.windows->find(key);
  const auto* const points = found == live.windows->end() ? nullptr : &found->second;
  const auto bands = PickBands(record, evidence);
  const auto band_length =
      bands.empty() ? Duration()
                    : bands.back()->step * static_cast<Duration::rep>(bands.back()->median.size());
  const auto* const preset = FindPreset(*live.cluster, record.worst.preset);
  auto json = NumbersJson(evidence);
  json["windows"] = WindowsJson(live, record, evidence, points, band_length);
  json["series"] = StepsJson(bands, evidence.component);
  json["means"] = points == nullptr || preset == nullptr
                      ? ApiJson(nullptr)
                      : MeansJson(key, *points, evidence.component, preset->shift, {}, {});
  json["distributions"] = DistributionsJson(bands, evidence.component);
  return json;
}

}  // namespace

std::string EvidenceJson(const LiveView& live, const VerdictRecord& record) {
  auto metrics = ApiJson::array();
  for (const auto& evidence : record.worst.evidence) {
    metrics.push_back(MetricJson(live, record, evidence));
  }
  auto checklist = ApiJson::array();
  for (const auto& step : ExplainChecklist(record.worst)) {
    checklist.push_back({{"step", step.step},
                         {"found", step.found},
                         {"decided", step.decided},
                         {"text", step.text}});
  }
  return PrintApiJson({{"verdict", VerdictJson(record)},
                       {"metrics", std::move(metrics)},
                       {"checklist", std::move(checklist)},
                       {"facts", ListFacts(record.worst)},
                       {"next_step", AdviseNextStep(record.worst)}});
}

const VerdictRecord* FindVerdict(const LiveView& live, std::string_view id) {
  const auto found = std::find_if(live.verdicts->begin(), live.verdicts->end(),
                                  [&](const VerdictPtr& one) { return one->id == id; });
  return found == live.verdicts->end() ? nullptr : found->get();
}

const VerdictRecord* FindLatestVerdict(const LiveView& live, std::string_view node,
                                       std::string_view cause, std::optional<UnixTime> at) {
  const auto fits = [&](const VerdictPtr& one) {
    return one->worst.node == node && (cause.empty() || Name(one->worst.cause) == cause) &&
           (!at || one->begin <= *at);
  };
  // By begin: the last that fits began last.
  const auto found = std::find_if(live.verdicts->rbegin(), live.verdicts->rend(), fits);
  return found == live.verdicts->rend() ? nullptr : found->get();
}

}  // namespace limpet
