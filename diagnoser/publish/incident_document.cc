#include "diagnoser/publish/incident_document.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/api.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/explain.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxBands = 5;  // the windows that made a flag

ApiJson SecondsOrNull(const std::optional<UnixTime>& at) {
  return at ? ApiJson(ApiSeconds(*at)) : ApiJson(nullptr);
}

// Four digits: a chart shows no more, and documents are kept for years.
ApiJson Rounded(const std::vector<float>& values, double factor) {
  auto list = ApiJson::array();
  for (const auto value : values) {
    const auto scaled = static_cast<double>(value) * factor;
    if (!std::isfinite(scaled) || scaled == 0) {
      list.push_back(std::isfinite(scaled) ? ApiJson(0) : ApiJson(nullptr));
      continue;
    }
    const auto digit = std::pow(10.0, 3 - std::floor(std::log10(std::abs(scaled))));
    list.push_back(std::round(scaled * digit) / digit);
  }
  return list;
}

ApiJson BandToJson(const PeerBand& band, const std::string& component) {
  const auto factor = ApiFactor(band.metric);
  ApiJson json = {{"component", component},
                  {"peer_group", band.group},
                  {"metric", MetricLabel(band.metric)},
                  {"unit", ApiUnit(band.metric)},
                  {"end", ApiSeconds(band.end)},
                  {"step_seconds", ToSeconds(band.step)},
                  {"peer_median", Rounded(band.median, factor)},
                  {"peer_p10", Rounded(band.low, factor)},
                  {"peer_p90", Rounded(band.high, factor)}};
  for (const auto& own : band.own) {
    if (own.component == component) {
      json["own"] = Rounded(own.samples, factor);
    }
  }
  return json;
}

// Of the leading evidence: step by step what the component and its peers did when it was flagged.
ApiJson BandsToJson(const VerdictEvent& verdict, std::span<const VerdictPtr> shown) {
  auto list = ApiJson::array();
  const auto* const leading = FindLeading(verdict);
  for (const auto& record : shown) {
    if (leading == nullptr || record->end || record->worst.node != verdict.node ||
        record->worst.cause != verdict.cause || record->worst.preset != verdict.preset) {
      continue;
    }
    for (const auto& band : record->bands) {
      if (list.size() < kMaxBands && band->group == leading->group &&
          band->metric == leading->metric) {
        list.push_back(BandToJson(*band, leading->component));
      }
    }
  }
  return list;
}

// Storms and shared parts that name a component of the node.
template <class Said, class Components>
ApiJson TextsAbout(const std::string& node, const std::vector<Said>& all, Components components) {
  auto list = ApiJson::array();
  for (const auto& one : all) {
    const auto& names = components(one);
    if (std::ranges::any_of(names, [&](const std::string& name) {
          return name == node || name.starts_with(node + "/");
        })) {
      list.push_back(Explain(one));
    }
  }
  return list;
}

// Without the address that people use there is none that would work for them.
ApiJson LinksToJson(const IncidentRecord& record, const std::string& url) {
  if (url.empty()) {
    return ApiJson::object();
  }
  return {{"page", url + "/"},
          {"incident", url + "/api/v1/incidents/" + record.id},
          {"playbooks", url + "/playbooks"}};
}

}  // namespace

// The keys of /api/v1/verdicts, and around them what an incident has more. What depends on the
// reader (its id there, answers) is joined when it is read.
IncidentTracker::Description DescribeIncident(const IncidentRecord& record,
                                              const VerdictEvent& verdict,
                                              const IncidentContext& context) {
  IncidentTracker::Description said;
  const auto* const leading = FindLeading(verdict);
  said.metric = leading == nullptr ? "" : std::string(MetricLabel(leading->metric));
  said.text = Explain(verdict);
  const auto& view = *context.view;
  const auto component = leading == nullptr ? std::string() : leading->component;
  const auto wwn = view.wwns.find(component);
  ApiJson json = {
      {"schema", "limpet.verdict.v1"},
      {"id", record.id},
      {"cluster", record.cluster},
      {"component", component.empty() ? ApiJson(nullptr) : ApiJson(component)},
      {"storage_name", wwn == view.wwns.end() ? ApiJson(nullptr) : ApiJson(wwn->second)},
      {"family", record.family}};
  json.update(VerdictToJson(verdict));
  json.erase("incident");
  json.erase("answer");
  json["bands"] = BandsToJson(verdict, context.shown);
  json["storms"] = TextsAbout(
      verdict.node, view.storms, [](const StormEvent& one) -> auto& { return one.components; });
  json["shared_parts"] = TextsAbout(
      verdict.node, view.shared_parts, [](const SharedPart& one) -> auto& { return one.flagged; });
  json["data_quality"] = {{"limps", view.judgements.limping},
                          {"like_peers", view.judgements.like_peers},
                          {"not_judged", view.judgements.not_judged},
                          {"text", view.judgements.text}};
  json["links"] = LinksToJson(record, context.url);
  said.document = PrintOneLine(json);
  return said;
}

ApiJson AnswerToJson(const IncidentAnswer& answer) {
  return {{"at", ApiSeconds(answer.at)},
          {"as", Name(answer.kind)},
          {"until", SecondsOrNull(answer.until)},
          {"note", answer.note},
          {"by", answer.by}};
}

ApiJson ActToJson(const Act& act) {
  return {{"at", ApiSeconds(act.at)},
          {"step", Name(act.step)},
          {"state", act.state},
          {"reason", act.reason}};
}

ApiJson IncidentRow(const IncidentRecord& record) {
  return {{"id", record.id},
          {"cluster", record.cluster},
          {"node", record.node},
          {"cause", record.cause},
          {"family", record.family},
          {"indicted", record.indicted},
          {"preset", record.preset},
          {"metric", record.metric},
          {"state", record.ended ? "ended" : "open"},
          {"since", ApiSeconds(record.since)},
          {"named", ApiSeconds(record.named)},
          {"last", ApiSeconds(record.last)},
          {"ended", SecondsOrNull(record.ended)},
          {"ending", record.ending},
          {"degree", record.degree},
          {"episodes", record.episodes},
          {"text", record.text}};
}

// A document from a damaged file must not cost the answer: what the row says is still told.
ApiJson IncidentToJson(const IncidentRecord& record, std::span<const IncidentAnswer> answers) {
  auto json = ApiJson::parse(record.document, nullptr, false);
  if (!json.is_object()) {
    json = ApiJson::object();
    json["schema"] = "limpet.verdict.v1";
  }
  // What is so now comes over what was so at the worst window.
  json.update(IncidentRow(record));
  auto list = ApiJson::array();
  for (const auto& answer : answers) {
    list.push_back(AnswerToJson(answer));
  }
  json["answers"] = std::move(list);
  return json;
}

std::string PrecisionJson(std::span<const MeasuredPrecision> rows) {
  auto list = ApiJson::array();
  for (const auto& row : rows) {
    list.push_back({{"cause", row.cause},
                    {"metric", row.metric.empty() ? ApiJson(nullptr) : ApiJson(row.metric)},
                    {"right", row.right},
                    {"wrong", row.wrong},
                    {"precision", row.Value()}});
  }
  return PrintApiJson(
      {{"days", kPrecisionSpan / std::chrono::hours(24)}, {"precision", std::move(list)}});
}

}  // namespace limpet
