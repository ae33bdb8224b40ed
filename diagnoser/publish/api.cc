#include "diagnoser/publish/api.h"

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/api_json.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/checklist.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/verdict/open_incidents.h"

namespace limpet {
namespace {

using Json = ApiJson;

Json SecondsList(const std::vector<UnixTime>& instants) {
  auto list = Json::array();
  for (const auto at : instants) {
    list.push_back(ApiSeconds(at));
  }
  return list;
}

// A metric's value in the unit that its label promises.
Json InApiUnit(const std::optional<double>& value, std::string_view metric) {
  return value ? Json(*value * ApiFactor(metric)) : Json(nullptr);
}

Json ToJson(const SyscallFact& fact) {
  return {{"call", fact.call},
          {"class", fact.path},
          {"errno", fact.error},
          {"count", fact.count},
          {"client", fact.client},
          {"client_call", fact.client_call},
          {"client_errno", fact.client_error},
          {"open_seconds", OrNull(fact.open)},
          {"last_call", fact.last_call},
          {"last_call_at", fact.last_at ? Json(ApiSeconds(*fact.last_at)) : Json(nullptr)}};
}

Json ToJson(const Evidence& evidence) {
  Json json = {{"component", evidence.component},
               {"peer_group", evidence.group},
               {"metric", MetricLabel(evidence.metric)},
               {"scale", evidence.scale},
               {"direction", Name(evidence.direction)},
               {"degree", evidence.degree},
               {"threshold", evidence.threshold},
               {"effect_ratio", OrNull(evidence.effect)},
               {"mean", InApiUnit(evidence.mean, evidence.metric)},
               {"peer_median", InApiUnit(evidence.peer_median, evidence.metric)},
               {"threshold_origin", Name(evidence.threshold_origin)},
               {"peers", evidence.peers},
               {"far", OrNull(evidence.far)},
               {"far_peers", evidence.far_peers},
               {"near_peers", evidence.near_peers},
               {"windows", SecondsList(evidence.windows)},
               {"accumulator", evidence.accumulator},
               {"episodes", evidence.episodes},
               {"text", Explain(evidence)},
               {"background", Background(evidence)}};
  if (evidence.syscall) {
    json["syscall"] = ToJson(*evidence.syscall);
  }
  return json;
}

Json ToJson(const Fact& fact) {
  return {{"fact", fact.fact},
          {"device", fact.device},
          {"detail", fact.detail},
          {"text", fact.text},
          {"next_step", fact.next}};
}

Json ToJson(const StormEvent& storm) {
  return {{"peer_group", storm.group},        {"metric", MetricLabel(storm.metric)},
          {"preset", storm.preset},           {"window_end", ApiSeconds(storm.end)},
          {"taking_part", storm.n},           {"flagged", storm.flagged},
          {"components", storm.components},   {"half", storm.half},
          {"either_side", storm.either_side}, {"text", Explain(storm)}};
}

Json ToJson(const SharedPart& part) {
  return {{"kind", part.kind},
          {"name", part.name},
          {"components", part.flagged},
          {"members", part.members},
          {"text", Explain(part)}};
}

Json ToJson(const UnknownEvent& unknown) {
  return {{"node", unknown.node},
          {"cause", Name(unknown.cause)},
          {"preset", unknown.preset},
          {"window_end", ApiSeconds(unknown.end)},
          {"judged", ApiSeconds(unknown.judged)},
          {"since", ApiSeconds(unknown.Since())},
          {"named", ApiSeconds(unknown.Named())},
          {"peer_group", unknown.group},
          {"comparable", unknown.n},
          {"reason", WhyUnknown(unknown)},
          {"text", Explain(unknown)}};
}

Json ToJson(const BimodalityEvent::Kind& kind, std::string_view metric) {
  return {{"components", kind.n},
          {"median", InApiUnit(kind.median, metric)},
          {"names", kind.components},
          {"values", kind.values}};
}

Json ToJson(const BimodalityEvent& found) {
  return {{"peer_group", found.group},
          {"metric", MetricLabel(found.metric)},
          {"preset", found.preset},
          {"window_end", ApiSeconds(found.end)},
          {"separation", found.separation},
          {"label", found.label.empty() ? Json(nullptr) : Json(found.label)},
          {"agreement", found.agreement},
          {"low", ToJson(found.low, found.metric)},
          {"high", ToJson(found.high, found.metric)},
          {"text", Explain(found)}};
}

template <class T>
Json ToJsonList(const std::vector<T>& values) {
  auto list = Json::array();
  for (const auto& value : values) {
    list.push_back(ToJson(value));
  }
  return list;
}

}  // namespace

std::string TargetsJson(std::span<const TargetStatus> targets) {
  auto list = Json::array();
  for (const auto& status : targets) {
    const auto& target = *status.target;
    list.push_back(
        {{"node", target.node},
         {"role", target.role},
         {"labels", target.labels},
         {"url", FormatUrl(target.endpoint)},
         {"up", status.up},
         {"error", status.error},
         {"reason", status.failure ? Json(Name(*status.failure)) : Json(nullptr)},
         {"last_scrape", status.scrapes > 0 ? Json(ApiSeconds(status.last_at)) : Json(nullptr)},
         {"scrape_duration_seconds", ToSeconds(status.took)},
         {"samples", status.samples},
         {"scrapes", status.scrapes},
         {"consecutive_failures", status.failures_in_a_row},
         {"clock_skew_seconds",
          status.clock_skew ? Json(ToSeconds(*status.clock_skew)) : Json(nullptr)}});
  }
  return PrintApiJson({{"targets", std::move(list)}});
}

std::string GroupsJson(const PipelineView& view) {
  auto list = Json::array();
  for (const auto& group : view.groups) {
    auto storms = Json::array();
    for (const auto& metric : view.metrics) {
      if (metric.storm && metric.preset == group.preset && metric.group == group.group) {
        storms.push_back(MetricLabel(metric.metric));
      }
    }
    list.push_back(
        {{"peer_group", group.group},
         {"preset", group.preset},
         {"window_end", group.window_end ? Json(ApiSeconds(*group.window_end)) : Json(nullptr)},
         {"taking_part", group.taking_part},
         {"missing", group.missing},
         {"masked", group.masked},
         {"storms", std::move(storms)}});
  }
  auto kinds = Json::array();
  for (const auto& group : view.disk_kinds) {
    kinds.push_back({{"peer_group", group.group}, {"kinds", group.kinds}, {"alone", group.alone}});
  }
  return PrintApiJson({{"groups", std::move(list)}, {"disk_kinds", std::move(kinds)}});
}

Json VerdictToJson(const VerdictEvent& verdict) {
  auto luns = Json::object();
  for (const auto& [component, kind] : verdict.luns) {
    luns[component] = Name(kind);
  }
  auto evidence = Json::array();
  for (const auto& one : verdict.evidence) {
    evidence.push_back(ToJson(one));
  }
  return {{"node", verdict.node},
          {"cause", Name(verdict.cause)},
          {"indicted", !verdict.secondary},
          {"incident", verdict.incident.empty() ? Json(nullptr) : Json(verdict.incident)},
          {"answer", verdict.answer.empty() ? Json(nullptr) : Json(verdict.answer)},
          {"since", ApiSeconds(verdict.Since())},
          {"named", ApiSeconds(verdict.Named())},
          {"window_end", ApiSeconds(verdict.end)},
          {"preset", verdict.preset},
          {"rank", verdict.rank},
          {"degree", verdict.degree},
          {"luns", std::move(luns)},
          {"text", Explain(verdict)},
          {"evidence", std::move(evidence)},
          {"facts", ToJsonList(verdict.facts)},
          {"next_step", AdviseNextStep(verdict)}};
}

std::string VerdictsJson(const PipelineView& view) {
  auto list = Json::array();
  for (const auto& verdict : view.verdicts) {
    list.push_back(VerdictToJson(verdict));
  }
  // "doctor" is what the bimodality check was called; the key keeps that name for one release.
  return PrintApiJson({{"verdicts", std::move(list)},
                       {"unknown", ToJsonList(view.unknown)},
                       {"storms", ToJsonList(view.storms)},
                       {"shared_parts", ToJsonList(view.shared_parts)},
                       {"doctor", ToJsonList(view.bimodality)}});
}

}  // namespace limpet
