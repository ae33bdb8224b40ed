#include "diagnoser/federation/member_state.h"

#include <algorithm>
#include <utility>

#include "diagnoser/federation/json_shape.h"
#include "diagnoser/federation/qualified_names.h"
#include "diagnoser/sources/address.h"
#include "diagnoser/verdict/causes.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

constexpr int kMaxDepth = 12;

Error Wrong(const std::string& expected) {
  return {ErrorCode::kInvalid, "expected " + expected + " of another limpet-diagnoser", ""};
}

bool IsNode(const ApiJson& node) {
  return HasShape(node, {{"node", JsonKind::kText},
                         {"role", JsonKind::kText},
                         {"up", JsonKind::kBoolOrNull},
                         {"labels", JsonKind::kTextsByName},
                         {"peer_groups", JsonKind::kTexts},
                         {"components", JsonKind::kObjects}}) &&
         std::all_of(node["components"].begin(), node["components"].end(), [](const ApiJson& one) {
           return HasShape(one, {{"component", JsonKind::kText},
                                 {"device", JsonKind::kTextOrNull},
                                 {"peer_group", JsonKind::kText}});
         });
}

bool IsPeerGroup(const ApiJson& group) {
  return HasShape(group, {{"peer_group", JsonKind::kText},
                          {"preset", JsonKind::kText},
                          {"kind", JsonKind::kText},
                          {"roles", JsonKind::kTexts},
                          {"metrics", JsonKind::kTexts},
                          {"taking_part", JsonKind::kNumber},
                          {"missing", JsonKind::kNumber},
                          {"masked", JsonKind::kNumber}});
}

bool IsPreset(const ApiJson& preset) {
  return HasShape(preset, {{"preset", JsonKind::kText},
                           {"step_seconds", JsonKind::kNumber},
                           {"window_seconds", JsonKind::kNumber},
                           {"shift_seconds", JsonKind::kNumber},
                           {"k", JsonKind::kNumber},
                           {"named_after", JsonKind::kObjects}});
}

bool IsMetric(const ApiJson& metric) {
  return HasShape(metric, {{"metric", JsonKind::kText},
                           {"name", JsonKind::kText},
                           {"text", JsonKind::kText},
                           {"unit", JsonKind::kText},
                           {"kind", JsonKind::kText}});
}

bool IsVerdict(const ApiJson& verdict) {
  return HasShape(verdict, {{"id", JsonKind::kText},
                            {"node", JsonKind::kText},
                            {"preset", JsonKind::kText},
                            {"cause", JsonKind::kText},
                            {"begin", JsonKind::kNumber},
                            {"since", JsonKind::kNumber},
                            {"named", JsonKind::kNumber},
                            {"end", JsonKind::kNumberOrNull},
                            {"last", JsonKind::kNumber},
                            {"indicted", JsonKind::kBool},
                            {"secondary_to", JsonKind::kTextOrNull},
                            {"rank", JsonKind::kNumber},
                            {"degree", JsonKind::kNumber},
                            {"reason", JsonKind::kText},
                            {"text", JsonKind::kText}});
}

// Those of the array `key` that `test` takes; `most` at most.
template <class Test>
ApiJson Checked(const ApiJson& json, const char* key, std::size_t most, Test test) {
  auto list = ApiJson::array();
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) {
    return list;
  }
  for (const auto& item : *found) {
    if (list.size() == most) {
      break;
    }
    if (test(item)) {
      list.push_back(item);
    }
  }
  return list;
}

std::optional<UnixTime> Instant(const ApiJson& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) {
    return std::nullopt;
  }
  return InstantFromSeconds(found->get<double>());
}

// An address that cannot be a link's is none.
std::string GrafanaOf(const ApiJson& cluster) {
  constexpr std::size_t kMaxAddress = 500;
  const auto found = cluster.find("grafana");
  if (found == cluster.end() || !found->is_string()) {
    return "";
  }
  const auto& address = found->get_ref<const std::string&>();
  return address.size() <= kMaxAddress && ParseUrl(address, 80) ? address : "";
}

}  // namespace

MemberPlaces PlacesOf(const MemberState& state) {
  return {.member = state.name,
          .version = state.version,
          .nodes = state.nodes.size(),
          .causes = state.causes};
}

Result<ApiJson> ParseAnswer(std::string_view body) {
  bool deep = false;
  auto json = ApiJson::parse(
      body,
      [&](int depth, ApiJson::parse_event_t, ApiJson&) {
        deep = deep || depth > kMaxDepth;
        return !deep;
      },
      false);
  if (deep || json.is_discarded() || !json.is_object()) {
    return Wrong("a JSON object");
  }
  return json;
}

Result<void> TakeCluster(std::string_view body, MemberState& state) {
  auto json = ParseAnswer(body);
  if (!json) {
    return json.error();
  }
  if (!HasShape(*json, {{"version", JsonKind::kNumber},
                        {"program", JsonKind::kText},
                        {"causes", JsonKind::kTexts}})) {
    return Wrong("an answer of /api/v1/cluster");
  }
  Qualify(*json, state.name);
  auto nodes = Checked(*json, "nodes", kMaxMemberNodes, IsNode);
  // A node that was left out would shift the places of those behind it.
  const bool whole = json->contains("nodes") && nodes.size() == (*json)["nodes"].size();
  if (!whole) {
    return Wrong("at most " + std::to_string(kMaxMemberNodes) + " nodes, each of the known shape,");
  }
  for (auto& node : nodes) {
    node["labels"]["diagnoser"] = state.name;
  }
  state.program = (*json)["program"].get<std::string>().substr(0, 40);
  state.grafana = GrafanaOf(*json);
  state.version =
      (*json)["version"].is_number_unsigned() ? (*json)["version"].get<std::uint64_t>() : 0;
  state.nodes = std::move(nodes);
  state.peer_groups = Checked(*json, "peer_groups", kMaxMemberNodes, IsPeerGroup);
  state.presets = Checked(*json, "presets", 100, IsPreset);
  state.metrics = Checked(*json, "metrics", 1000, IsMetric);
  state.causes.clear();
  for (const auto& name : (*json)["causes"]) {
    const auto* const row = FindCauseByName(name.get_ref<const std::string&>());
    state.causes.push_back(row == nullptr ? Cause::kNone : row->cause);
  }
  state.values.clear();
  ++state.changes;
  return {};
}

Result<bool> TakeFrame(std::string_view body, UnixTime asked, MemberState& state) {
  auto json = ParseAnswer(body);
  if (!json) {
    return json.error();
  }
  const auto now = Instant(*json, "now");
  if (!now || !json->contains("frame") || !(*json)["frame"].is_object()) {
    return Wrong("an answer of /api/v1/frame");
  }
  state.clock_ahead = *now - asked;
  const auto& frame = (*json)["frame"];
  const auto time = Instant(frame, "time");
  if (!time || !IsWholeFrame(frame)) {
    return true;  // it has none yet
  }
  state.data_time = time;
  auto values = state.program.empty() ? std::nullopt : ReadMemberFrame(frame, PlacesOf(state));
  const bool fits = values.has_value();
  state.values = fits ? *std::move(values) : std::vector<std::int16_t>();
  return fits;
}

Result<void> TakeVerdicts(std::string_view body, MemberState& state) {
  auto json = ParseAnswer(body);
  if (!json) {
    return json.error();
  }
  Qualify(*json, state.name);
  std::vector<MemberVerdict> verdicts;
  for (const auto& one : Checked(*json, "verdicts", kMaxMemberVerdicts, IsVerdict)) {
    const auto& end = one["end"];
    verdicts.push_back({.id = one["id"].get<std::string>(),
                        .begin = one["begin"].get<double>(),
                        .end = end.is_null() ? std::nullopt : std::optional(end.get<double>()),
                        .line = PrintOneLine(one)});
  }
  state.verdicts = std::move(verdicts);
  return {};
}

}  // namespace limpet
