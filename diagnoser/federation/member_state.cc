#include "diagnoser/federation/member_state.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "diagnoser/federation/qualified_names.h"
#include "diagnoser/verdict/causes.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

constexpr int kMaxDepth = 12;

Error Wrong(const std::string& expected) {
  return {ErrorCode::kInvalid, "expected " + expected + " of another limpet-diagnoser", ""};
}

enum class Kind {
  kText,
  kNumber,
  kBool,
  kTexts,
  kObjects,
  kTextOrNull,
  kNumberOrNull,
  kBoolOrNull,
  kObject
};
struct Key {
  const char* name;
  Kind kind;
};

bool Is(const ApiJson& value, Kind kind) {
  const auto all = [&](auto test) {
    return value.is_array() && std::all_of(value.begin(), value.end(), test);
  };
  switch (kind) {
    case Kind::kText:
      return value.is_string();
    case Kind::kNumber:
      return value.is_number();
    case Kind::kBool:
      return value.is_boolean();
    case Kind::kTexts:
      return all([](const ApiJson& one) { return one.is_string(); });
    case Kind::kObjects:
      return all([](const ApiJson& one) { return one.is_object(); });
    case Kind::kTextOrNull:
      return value.is_string() || value.is_null();
    case Kind::kNumberOrNull:
      return value.is_number() || value.is_null();
    case Kind::kBoolOrNull:
      return value.is_boolean() || value.is_null();
    case Kind::kObject:
      return value.is_object() && std::all_of(value.begin(), value.end(),
                                              [](const ApiJson& one) { return one.is_string(); });
  }
  return false;
}

bool HasShape(const ApiJson& json, std::initializer_list<Key> keys) {
  return json.is_object() && std::all_of(keys.begin(), keys.end(), [&](const Key& key) {
           const auto found = json.find(key.name);
           return found != json.end() && Is(*found, key.kind);
         });
}

bool IsNode(const ApiJson& node) {
  return HasShape(node, {{"node", Kind::kText},
                         {"role", Kind::kText},
                         {"up", Kind::kBoolOrNull},
                         {"labels", Kind::kObject},
                         {"peer_groups", Kind::kTexts},
                         {"components", Kind::kObjects}}) &&
         std::all_of(node["components"].begin(), node["components"].end(), [](const ApiJson& one) {
           return HasShape(one, {{"component", Kind::kText},
                                 {"device", Kind::kTextOrNull},
                                 {"peer_group", Kind::kText}});
         });
}

bool IsPeerGroup(const ApiJson& group) {
  return HasShape(group, {{"peer_group", Kind::kText},
                          {"preset", Kind::kText},
                          {"kind", Kind::kText},
                          {"roles", Kind::kTexts},
                          {"metrics", Kind::kTexts},
                          {"taking_part", Kind::kNumber},
                          {"missing", Kind::kNumber},
                          {"masked", Kind::kNumber}});
}

bool IsPreset(const ApiJson& preset) {
  return HasShape(preset, {{"preset", Kind::kText},
                           {"step_seconds", Kind::kNumber},
                           {"window_seconds", Kind::kNumber},
                           {"shift_seconds", Kind::kNumber},
                           {"k", Kind::kNumber},
                           {"named_after", Kind::kObjects}});
}

bool IsMetric(const ApiJson& metric) {
  return HasShape(metric, {{"metric", Kind::kText},
                           {"name", Kind::kText},
                           {"text", Kind::kText},
                           {"unit", Kind::kText},
                           {"kind", Kind::kText}});
}

bool IsVerdict(const ApiJson& verdict) {
  return HasShape(verdict, {{"id", Kind::kText},
                            {"node", Kind::kText},
                            {"preset", Kind::kText},
                            {"cause", Kind::kText},
                            {"begin", Kind::kNumber},
                            {"since", Kind::kNumber},
                            {"named", Kind::kNumber},
                            {"end", Kind::kNumberOrNull},
                            {"last", Kind::kNumber},
                            {"indicted", Kind::kBool},
                            {"secondary_to", Kind::kTextOrNull},
                            {"rank", Kind::kNumber},
                            {"degree", Kind::kNumber},
                            {"reason", Kind::kText},
                            {"text", Kind::kText}});
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

// Of each of its columns our own, by name; kColumns: none, or one of another scale.
std::vector<std::size_t> MatchColumns(const ApiJson& columns) {
  std::vector<std::size_t> ours;
  for (const auto& column : columns) {
    const auto rows = ColumnRows();
    const auto found = std::ranges::find_if(rows, [&](const ColumnRow& row) {
      if (!HasShape(column, {{"name", Kind::kText}}) ||
          column["name"].get_ref<const std::string&>() != row.name || !column.contains("scale")) {
        return false;
      }
      const auto& scale = column["scale"];
      return HasShape(scale, {{"low", Kind::kNumber}, {"high", Kind::kNumber}}) &&
             scale["low"] == row.low && scale["high"] == row.high;
    });
    ours.push_back(static_cast<std::size_t>(found - rows.begin()));
  }
  return ours;
}

std::int16_t OurCause(std::int64_t theirs, const std::vector<Cause>& causes) {
  if (theirs < 0 || static_cast<std::size_t>(theirs) >= causes.size()) {
    return kUnknown;
  }
  const auto rows = CauseRows();
  const auto found =
      std::ranges::find(rows, causes[static_cast<std::size_t>(theirs)], &CauseRow::cause);
  return found == rows.end() ? kUnknown : static_cast<std::int16_t>(found - rows.begin());
}

void TakeRow(const ApiJson& row, const std::vector<std::size_t>& columns, MemberState& state) {
  if (!row.is_array() || row.size() != columns.size() + 1 || !row[0].is_number_unsigned()) {
    return;
  }
  const auto place = row[0].get<std::uint64_t>();
  if (place >= state.nodes.size()) {
    return;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& value = row[i + 1];
    if (columns[i] == kColumns || !value.is_number_unsigned() || value.get<std::uint64_t>() > 255) {
      continue;
    }
    const auto number = static_cast<std::int16_t>(value.get<std::uint64_t>());
    state.values[place * kColumns + columns[i]] =
        columns[i] == static_cast<std::size_t>(Column::kCause) ? OurCause(number, state.causes)
                                                               : number;
  }
}

}  // namespace

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
  if (!HasShape(*json,
                {{"version", Kind::kNumber}, {"program", Kind::kText}, {"causes", Kind::kTexts}})) {
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
  if (!time || !HasShape(frame, {{"version", Kind::kNumber}, {"columns", Kind::kObjects}}) ||
      !frame.contains("rows") || !frame["rows"].is_array()) {
    return true;  // it has none yet
  }
  state.data_time = time;
  if (state.program.empty() || frame["version"] != state.version) {
    state.values.clear();
    return false;
  }
  state.values.assign(state.nodes.size() * kColumns, kUnknown);
  const auto columns = MatchColumns(frame["columns"]);
  for (const auto& row : frame["rows"]) {
    TakeRow(row, columns, state);
  }
  return true;
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
