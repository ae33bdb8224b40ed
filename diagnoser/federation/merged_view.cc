#include "diagnoser/federation/merged_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "diagnoser/federation/qualified_names.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/verdict/causes.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeptChanges = 1000;
constexpr std::size_t kToldNames = 3;
constexpr Duration kLate = 10s;  // at least; three steps of a slow preset are more

Duration LongestStep(const MemberState& state) {
  double seconds = 0;
  for (const auto& preset : state.presets) {
    seconds = std::max(seconds, preset["step_seconds"].get<double>());
  }
  return std::chrono::milliseconds(std::llround(std::min(seconds, 86'400.0) * 1000));
}

ClusterNode NodeOf(const ApiJson& json, const std::map<std::string, std::size_t>& groups) {
  ClusterNode node;
  node.node = json["node"].get<std::string>();
  node.role = json["role"].get<std::string>();
  for (const auto& one : json["components"]) {
    const auto group = groups.find(one["peer_group"].get<std::string>());
    if (group != groups.end()) {
      node.components.push_back(
          {.component = one["component"].get<std::string>(), .device = "", .group = group->second});
    }
  }
  return node;
}

// Those of `from` whose `key` is not there yet: the same presets and metrics everywhere are listed
// once.
void AddMissing(const ApiJson& from, const char* key, ApiJson& list) {
  for (const auto& item : from) {
    const bool known = std::any_of(list.begin(), list.end(),
                                   [&](const ApiJson& one) { return one[key] == item[key]; });
    if (!known) {
      list.push_back(item);
    }
  }
}

std::map<std::string, std::vector<std::string>> SharedNames(std::span<const MemberState> states) {
  std::map<std::string, std::vector<std::string>> members_of;
  for (const auto& state : states) {
    for (const auto& node : state.nodes) {
      if (const auto name = SplitName(node["node"].get_ref<const std::string&>())) {
        members_of[name->name].push_back(state.name);
      }
    }
  }
  std::map<std::string, std::vector<std::string>> shared;
  for (const auto& [name, members] : members_of) {
    for (const auto& member : members) {
      if (members.size() > 1) {
        shared[member].push_back(name);
      }
    }
  }
  return shared;
}

}  // namespace

bool IsDown(const MemberState& state, UnixTime now) {
  return !state.answered || now - *state.answered > kMemberDown;
}

std::vector<MemberMark> MarksOf(const MemberState& state, const std::vector<std::string>& shared,
                                UnixTime now, std::string_view our_program) {
  std::vector<MemberMark> marks;
  if (IsDown(state, now)) {
    marks.push_back({"down", state.answered ? "has not answered for " +
                                                  std::to_string((now - *state.answered) / 1s) +
                                                  " s: " + state.problem
                                            : "has never answered: " + state.problem});
  } else if (!state.has_frames) {
    marks.push_back({"version", "is too old for readings: it has no /api/v1/frame"});
  } else if (state.data_time) {
    const auto age = now + state.clock_ahead.value_or(0s) - *state.data_time;
    if (age > std::max<Duration>(kLate, 3 * LongestStep(state))) {
      marks.push_back({"late", "its readings are " + std::to_string(age / 1s) + " s old"});
    }
  } else {
    marks.push_back({"late", "has no readings yet"});
  }
  if (!state.program.empty() && state.program != our_program) {
    marks.push_back(
        {"version", "is version " + state.program + ", this page is " + std::string(our_program)});
  }
  if (state.clock_ahead && std::chrono::abs(*state.clock_ahead) > kClockTold) {
    marks.push_back(
        {"clock", fmt::format("its clock is {:.0f} s {}: its instants are by that clock",
                              std::abs(ToSeconds(*state.clock_ahead)),
                              *state.clock_ahead > 0s ? "ahead" : "behind")});
  }
  if (!shared.empty()) {
    std::string names;
    for (std::size_t i = 0; i < std::min(shared.size(), kToldNames); ++i) {
      names += (i == 0 ? "" : ", ") + shared[i];
    }
    marks.push_back({"names", std::to_string(shared.size()) +
                                  " of its nodes have names that others have, too: " + names});
  }
  return marks;
}

void Merger::MergeCluster(std::span<const MemberState> states, UnixTime now) {
  auto cluster = std::make_shared<Cluster>();
  cluster->version = ++version_;
  auto nodes = ApiJson::array();
  auto peer_groups = ApiJson::array();
  auto presets = ApiJson::array();
  auto metrics = ApiJson::array();
  std::map<std::string, std::size_t> places;
  for (const auto& state : states) {
    for (const auto& group : state.peer_groups) {
      const auto name = group["peer_group"].get<std::string>();
      if (places.emplace(name, places.size()).second) {
        cluster->groups.push_back({.group = name, .kind = GroupKind::kStorage, .roles = {}});
      }
      peer_groups.push_back(group);
    }
    AddMissing(state.presets, "preset", presets);
    AddMissing(state.metrics, "metric", metrics);
    for (const auto& node : state.nodes) {
      nodes.push_back(node);
      cluster->nodes.push_back(NodeOf(node, places));
    }
  }
  auto causes = ApiJson::array();
  for (const auto& row : CauseRows()) {
    causes.push_back(row.name);
  }
  auto members = ApiJson::array();
  for (const auto& state : states) {
    members.push_back(state.name);
  }
  cluster_json_ =
      std::make_shared<const std::string>(PrintOneLine({{"time", ApiSeconds(now)},
                                                        {"version", version_},
                                                        {"program", program_},
                                                        {"live", true},
                                                        {"recording", nullptr},
                                                        {"members", std::move(members)},
                                                        {"presets", std::move(presets)},
                                                        {"nodes", std::move(nodes)},
                                                        {"peer_groups", std::move(peer_groups)},
                                                        {"metrics", std::move(metrics)},
                                                        {"causes", std::move(causes)}}) +
                                          "\n");
  cluster_ = std::move(cluster);
  shared_ = SharedNames(states);
}

void Merger::MergeVerdicts(std::span<const MemberState> states, MergedView& view) {
  std::map<std::string, std::string> lines;
  for (const auto& state : states) {
    for (const auto& verdict : state.verdicts) {
      view.verdicts.push_back(verdict);
      const auto before = lines_.find(verdict.id);
      if (before == lines_.end() || before->second != verdict.line) {
        ++verdict_changes_;
        latest_changes_.push_back(verdict.line);
      }
      lines.insert_or_assign(verdict.id, verdict.line);
    }
  }
  lines_ = std::move(lines);
  while (latest_changes_.size() > kKeptChanges) {
    latest_changes_.pop_front();
  }
  std::ranges::stable_sort(view.verdicts, {}, &MemberVerdict::begin);
  view.verdict_changes = verdict_changes_;
  view.latest_changes = latest_changes_;
}

std::shared_ptr<const Frame> Merger::MergeFrame(std::span<const MemberState> states, UnixTime now) {
  auto frame = std::make_shared<Frame>();
  frame->cluster = cluster_;
  for (const auto& state : states) {
    const auto size = state.nodes.size() * kColumns;
    const bool known = !IsDown(state, now) && state.values.size() == size;
    if (known) {
      frame->values.insert(frame->values.end(), state.values.begin(), state.values.end());
    } else {
      frame->values.resize(frame->values.size() + size, kUnknown);
    }
    if (state.data_time && !IsDown(state, now)) {
      // By our clock: one that is ahead would make all others look old.
      frame->time = std::max(frame->time, *state.data_time - state.clock_ahead.value_or(0s));
    }
  }
  if (frame->time == UnixTime()) {
    frame->time = now;
  }
  const auto ms = static_cast<std::uint64_t>(now.time_since_epoch() / 1ms);
  last_id_ = std::max(last_id_ + 1, ms);
  frame->id = last_id_;
  frame->verdict_changes = verdict_changes_;
  return frame;
}

std::string Merger::MembersJson(std::span<const MemberState> states, UnixTime now) const {
  auto list = ApiJson::array();
  for (const auto& state : states) {
    const auto shared = shared_.find(state.name);
    auto marks = ApiJson::array();
    for (const auto& mark :
         MarksOf(state, shared == shared_.end() ? std::vector<std::string>() : shared->second, now,
                 program_)) {
      marks.push_back({{"mark", mark.mark}, {"text", mark.text}});
    }
    list.push_back(
        {{"member", state.name},
         {"url", state.url},
         {"program", state.program.empty() ? ApiJson(nullptr) : ApiJson(state.program)},
         {"grafana", state.grafana.empty() ? ApiJson(nullptr) : ApiJson(state.grafana)},
         {"nodes", state.nodes.size()},
         {"answered", state.answered ? ApiJson(ApiSeconds(*state.answered)) : ApiJson(nullptr)},
         {"clock_ahead_seconds", state.clock_ahead
                                     ? ApiJson(std::round(ToSeconds(*state.clock_ahead) * 10) / 10)
                                     : ApiJson(nullptr)},
         {"marks", std::move(marks)}});
  }
  return PrintOneLine({{"members", std::move(list)}}) + "\n";
}

std::shared_ptr<const MergedView> Merger::Merge(std::span<const MemberState> states, UnixTime now) {
  std::vector<std::uint64_t> changes;
  for (const auto& state : states) {
    changes.push_back(state.changes);
  }
  if (changes != seen_ || !cluster_) {
    seen_ = std::move(changes);
    MergeCluster(states, now);
  }
  auto view = std::make_shared<MergedView>();
  MergeVerdicts(states, *view);
  view->cluster = cluster_;
  view->cluster_json = cluster_json_;
  view->frame = MergeFrame(states, now);
  view->members_json = std::make_shared<const std::string>(MembersJson(states, now));
  for (const auto& state : states) {
    view->places.push_back(PlacesOf(state));
  }
  view->members = StandingsOf(states, now);
  return view;
}

}  // namespace limpet
