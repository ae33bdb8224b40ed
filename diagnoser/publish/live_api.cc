#include "diagnoser/publish/live_api.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/top.h"

namespace limpet {
namespace {

std::string_view KindName(GroupKind kind) {
  const auto name = KindRow(kind).name;
  return name.empty() ? "host" : name;  // those that no configuration may name
}

// As of the newest frame; null: nobody knows.
ApiJson UpJson(const Frame* frame, std::size_t node) {
  if (frame == nullptr) {
    return nullptr;
  }
  const auto value = frame->Row(node)[static_cast<std::size_t>(Column::kUp)];
  return value == kUnknown ? ApiJson(nullptr) : ApiJson(value == 1);
}

ApiJson NodeJson(const Cluster& cluster, std::size_t place, const Frame* frame) {
  const auto& node = cluster.nodes[place];
  auto groups = ApiJson::array();
  auto components = ApiJson::array();
  std::size_t last = cluster.groups.size();
  for (const auto& component : node.components) {
    const auto& group = cluster.groups[component.group].group;
    if (component.group != last) {  // by group, so each comes once
      groups.push_back(group);
      last = component.group;
    }
    components.push_back(
        {{"component", component.component},
         {"device", component.device.empty() ? ApiJson(nullptr) : ApiJson(component.device)},
         {"peer_group", group}});
  }
  return {{"node", node.node},
          {"role", node.role},
          {"up", UpJson(frame, place)},
          {"labels", ApiJson(node.labels)},
          {"peer_groups", std::move(groups)},
          {"components", std::move(components)}};
}

ApiJson GroupsJson(const LiveView& live) {
  auto list = ApiJson::array();
  for (const auto& status : live.view->groups) {
    const auto group =
        std::find_if(live.cluster->groups.begin(), live.cluster->groups.end(),
                     [&](const ClusterGroup& one) { return one.group == status.group; });
    const bool scale =
        std::none_of(live.cluster->presets.begin(), live.cluster->presets.end(),
                     [&](const ClusterPreset& one) { return one.preset == status.preset; });
    if (group == live.cluster->groups.end() || scale) {
      continue;
    }
    auto metrics = ApiJson::array();
    for (const auto& row : Metrics(group->kind)) {
      metrics.push_back(row.label);
    }
    list.push_back({{"peer_group", group->group},
                    {"preset", status.preset},
                    {"kind", KindName(group->kind)},
                    {"roles", group->roles},
                    {"metrics", std::move(metrics)},
                    {"taking_part", status.taking_part},
                    {"missing", status.missing},
                    {"masked", status.masked}});
  }
  return list;
}

// Those that peers are compared by, and the configuration's own.
ApiJson MetricsJson(const PipelineView& view) {
  auto list = ApiJson::array();
  for (const auto& kind : kGroupKindRows) {
    for (const auto& row : kind.metrics) {
      list.push_back({{"metric", row.label},
                      {"name", row.name},
                      {"text", row.text},
                      {"unit", ApiUnit(row.name)},
                      {"kind", KindName(kind.kind)}});
    }
  }
  for (const auto& row : HostMetrics()) {
    list.push_back({{"metric", row.label},
                    {"name", row.name},
                    {"text", row.text},
                    {"unit", ApiUnit(row.name)},
                    {"kind", "host"}});
  }
  if (view.custom) {
    for (const auto& metric : view.custom->metrics) {
      list.push_back({{"metric", metric.name},
                      {"name", metric.name},
                      {"text", metric.text},
                      {"unit", metric.unit},
                      {"kind", "custom"}});
    }
  }
  return list;
}

ApiJson PresetsJson(const Cluster& cluster) {
  auto list = ApiJson::array();
  for (const auto& preset : cluster.presets) {
    auto named = ApiJson::array();
    for (const auto& time : preset.naming) {
      named.push_back({{"times_peers", time.times},
                       {"usual_seconds", ToSeconds(time.usual)},
                       {"most_seconds", ToSeconds(time.most)}});
    }
    list.push_back({{"preset", preset.preset},
                    {"step_seconds", ToSeconds(preset.step)},
                    {"window_seconds", ToSeconds(preset.window)},
                    {"shift_seconds", ToSeconds(preset.shift)},
                    {"k", preset.k},
                    {"named_after", std::move(named)}});
  }
  return list;
}

// [first, count, value] of each stretch of the same known value within [begin, end).
ApiJson Runs(const Heat::Strip& strip, std::size_t begin, std::size_t end) {
  auto runs = ApiJson::array();
  for (std::size_t at = begin; at < end;) {
    auto next = at + 1;
    while (next < end && strip[next] == strip[at]) {
      ++next;
    }
    if (strip[at] != kUnknown) {
      runs.push_back({at - begin, next - at, strip[at]});
    }
    at = next;
  }
  return runs;
}

}  // namespace

std::string ClusterJson(const LiveView& live, const PageFacts& facts) {
  const auto& recording = facts.recording;
  const auto& cluster = *live.cluster;
  const Frame* frame = live.frames.empty() ? nullptr : live.frames.back().get();
  const auto time = frame == nullptr ? UnixTime() : frame->time;
  if (frame != nullptr && frame->cluster != live.cluster) {
    frame = nullptr;  // its places are others
  }
  auto nodes = ApiJson::array();
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    nodes.push_back(NodeJson(cluster, i, frame));
  }
  auto causes = ApiJson::array();
  for (const auto& row : CauseRows()) {
    causes.push_back(row.name);
  }
  return PrintOneLine(
             {{"time", ApiSeconds(time)},
              {"version", cluster.version},
              {"program", facts.program},
              {"grafana", facts.grafana.empty() ? ApiJson(nullptr) : ApiJson(facts.grafana)},
              {"live", !recording.has_value()},
              {"recording", recording ? ApiJson{{"begin", ApiSeconds(recording->from)},
                                                {"end", ApiSeconds(recording->to)}}
                                      : ApiJson(nullptr)},
              {"presets", PresetsJson(cluster)},
              {"nodes", std::move(nodes)},
              {"peer_groups", GroupsJson(live)},
              {"metrics", MetricsJson(*live.view)},
              {"causes", std::move(causes)}}) +
         "\n";
}

ApiJson VerdictJson(const VerdictRecord& record) {
  const auto* const leading = FindLeading(record.worst);
  return {{"id", record.id},
          {"node", record.worst.node},
          {"preset", record.worst.preset},
          {"cause", Name(record.worst.cause)},
          {"begin", ApiSeconds(record.begin)},
          {"since", ApiSeconds(record.since)},
          {"named", ApiSeconds(record.named)},
          {"end", record.end ? ApiJson(ApiSeconds(*record.end)) : ApiJson(nullptr)},
          {"last", ApiSeconds(record.last)},
          {"indicted", record.indicted},
          {"secondary_to", OrNull(record.secondary_to)},
          {"rank", record.rank},
          {"degree", record.worst.degree},
          {"reason", leading == nullptr ? "" : Explain(*leading)},
          {"text", Explain(record.worst)}};
}

std::string VerdictLine(const VerdictRecord& record) { return PrintOneLine(VerdictJson(record)); }

std::string VerdictHistoryJson(const LiveView& live, const TimeSpan& span) {
  auto list = ApiJson::array();
  for (const auto& record : *live.verdicts) {
    if (record->begin <= span.to && (!record->end || *record->end >= span.from)) {
      list.push_back(VerdictJson(*record));
    }
  }
  return PrintApiJson(
      {{"from", ApiSeconds(span.from)},
       {"to", ApiSeconds(span.to)},
       {"complete_since",
        live.complete_since ? ApiJson(ApiSeconds(*live.complete_since)) : ApiJson(nullptr)},
       {"verdicts", std::move(list)}});
}

std::string HeatJson(const LiveView& live, const std::optional<TimeSpan>& span) {
  const auto& heat = *live.heat;
  std::size_t begin = 0;
  std::size_t end = Heat::kSteps;
  if (span) {
    const auto place = [&](UnixTime at) {
      return std::clamp<std::int64_t>((at - heat.Begin()) / Heat::kStep, 0, Heat::kSteps);
    };
    begin = static_cast<std::size_t>(place(span->from));
    end = std::max(begin, std::min(Heat::kSteps, static_cast<std::size_t>(place(span->to)) + 1));
  }
  auto nodes = ApiJson::array();
  for (const auto& [node, strip] : heat.All()) {
    nodes.push_back({{"node", node}, {"runs", Runs(strip, begin, end)}});
  }
  const auto& column = ColumnRows()[static_cast<std::size_t>(Column::kDegree)];
  return PrintOneLine(
             {{"begin", ApiSeconds(heat.Begin() + Heat::kStep * static_cast<Duration::rep>(begin))},
              {"step_seconds", ToSeconds(Heat::kStep)},
              {"steps", end - begin},
              {"scale", {{"kind", "log"}, {"low", column.low}, {"high", column.high}}},
              {"nodes", std::move(nodes)}}) +
         "\n";
}

std::string TopAllJson(const LiveView& live, bool hourly) {
  auto json = TopToJson(MakeTopList(*live.view, "", kMaxTopEntries));
  if (hourly) {
    auto list = ApiJson::array();
    for (const auto& one : *live.hourly) {
      list.push_back(
          {{"preset", one.preset}, {"metric", MetricLabel(one.metric)}, {"rows", one.rows}});
    }
    json["hourly"] = std::move(list);
  }
  return PrintApiJson(json);
}

}  // namespace limpet
