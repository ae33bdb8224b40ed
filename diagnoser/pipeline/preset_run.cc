#include "diagnoser/pipeline/preset_run.h"

#include <iterator>
#include <utility>

#include "diagnoser/pipeline/peer_sets.h"
#include "diagnoser/verdict/ranking.h"
#include "diagnoser/verdict/root_cause.h"

namespace limpet {

PresetRun::PresetRun(const PresetSettings& settings, std::size_t grid, const Thresholds* thresholds,
                     const std::vector<PeerGroupRule>& groups)
    : settings_(&settings), grid_(grid) {
  for (const auto& group : groups) {
    groups_.emplace_back(group, settings, thresholds);
  }
}

UnixTime PresetRun::NextEnd(UnixTime first) const {
  const auto shift = settings_->Shift();
  const auto after = last_end_ ? std::max(*last_end_, first) : first;
  // Ends are multiples of the shift since 1970: presets and replays agree on them.
  return UnixTime(shift * (after.time_since_epoch() / shift + 1));
}

// verdicts_ are those of `end` then.
std::vector<Event> PresetRun::Judge(UnixTime end, JudgeMode mode,
                                    const std::vector<GroupMembers>& members,
                                    const Directory& directory,
                                    const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                    const Readings& readings) {
  std::vector<Event> events;
  std::vector<Event> of_groups;
  std::map<std::string, std::vector<Evidence>> flagged;
  for (std::uint32_t number = 0; number < groups_.size(); ++number) {
    auto& group = groups_[number];
    auto result = KindRow(group.Kind()).by_connection
                      ? group.JudgeCwnd(end, mode, cwnd.at(number))
                      : group.JudgeWindow(end, mode, members[number], directory, readings, grid_);
    for (auto& window : result.windows) {
      events.emplace_back(std::move(window));
    }
    for (auto& storm : result.storms) {
      of_groups.emplace_back(std::move(storm));
    }
    for (auto& found : result.bimodality) {
      of_groups.emplace_back(std::move(found));
    }
    for (auto& [node, evidence] : result.flagged) {
      auto& all = flagged[node];
      all.insert(all.end(), std::make_move_iterator(evidence.begin()),
                 std::make_move_iterator(evidence.end()));
    }
  }
  // A verdict is about a server, so what all its groups found is judged together.
  verdicts_.clear();
  for (auto& [node, evidence] : flagged) {
    if (auto verdict = JudgeServer(std::move(evidence), settings_->hog_direction)) {
      verdict->end = end;
      verdict->preset = settings_->name;
      verdict->node = node;
      verdicts_.push_back(std::move(*verdict));
    }
  }
  Rank(members, cwnd);
  events.insert(events.end(), std::make_move_iterator(of_groups.begin()),
                std::make_move_iterator(of_groups.end()));
  return events;
}

void PresetRun::Rank(const std::vector<GroupMembers>& members,
                     const std::map<std::uint32_t, CwndSeconds>& cwnd) {
  // With one verdict there is nobody to rank it against, whatever the scope.
  if (settings_->ranking_scope == RankingScope::kAll || verdicts_.size() < 2) {
    verdicts_ = Ranked(std::move(verdicts_), settings_->rho, settings_->ranking);
    return;
  }
  std::vector<std::vector<std::string>> servers(groups_.size());
  for (std::uint32_t number = 0; number < groups_.size(); ++number) {
    if (KindRow(groups_[number].Kind()).by_connection) {
      servers[number] = cwnd.at(number).Servers();
    } else {
      for (const auto& member : members[number].members) {
        servers[number].push_back(member.node);
      }
    }
  }
  const PeerSets sets(servers);
  verdicts_ = RankedWithin(std::move(verdicts_), settings_->rho, settings_->ranking,
                           [&](const std::string& node) { return sets.Of(node); });
}

void PresetRun::Join(UnixTime end, Behaviour behaviour) {
  // Profiles know neither presets nor windows; their findings join each preset's own.
  for (auto& finding : behaviour.verdicts) {
    finding.end = end;
    finding.preset = settings_->name;
  }
  verdicts_ =
      WithBehaviour(std::move(verdicts_), std::move(behaviour), settings_->rho, settings_->ranking);
}

std::vector<Event> PresetRun::Close(UnixTime end, const std::vector<GroupMembers>& members,
                                    const Directory& directory,
                                    const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                    const Readings& readings, Behaviour behaviour) {
  auto events = Judge(end, JudgeMode::kJudge, members, directory, cwnd, readings);
  last_end_ = end;
  for (const auto& event : events) {
    window_count_ += std::holds_alternative<WindowEvent>(event) ? 1U : 0U;
  }
  Join(end, std::move(behaviour));
  verdict_count_ += verdicts_.size();
  events.insert(events.end(), verdicts_.begin(), verdicts_.end());
  // An hour without any window is left out of the list.
  if (!events.empty()) {
    RecordHour(end);
  }
  return events;
}

void PresetRun::Recall(const std::vector<GroupMembers>& members, const Directory& directory,
                       const std::map<std::uint32_t, CwndSeconds>& cwnd, const Readings& readings,
                       Behaviour behaviour) {
  if (last_end_) {
    (void)Judge(*last_end_, JudgeMode::kRecall, members, directory, cwnd, readings);
    Join(*last_end_, std::move(behaviour));
  }
}

std::int64_t PresetRun::OldestBin() const {
  const auto span = static_cast<std::int64_t>(settings_->window + settings_->smoothing);
  // Before the first window everything may still be needed.
  return last_end_ ? BinAt(*last_end_, settings_->step) - span : 0;
}

void PresetRun::SkipSilence(const Readings& readings, UnixTime horizon) {
  if (!last_end_) {
    return;
  }
  const auto& preset = *settings_;
  const auto shift = preset.Shift();
  // The next window's own bins, smoothing included: a reading in any of them is data.
  const auto oldest = BinAt(*last_end_ + shift, preset.step) -
                      static_cast<std::int64_t>(preset.window + preset.smoothing);
  const auto bin = readings.NextBin(grid_, oldest);
  const auto until = bin ? std::min(horizon, UnixTime(preset.step * (*bin - 1))) : horizon;
  const auto passed = UnixTime(shift * (until.time_since_epoch() / shift));
  last_end_ = std::max(*last_end_, passed);
}

void PresetRun::RecordHour(UnixTime end) {
  std::vector<Persistent> all;
  for (const auto& group : groups_) {
    for (const auto& [name, record] : group.Records()) {
      const auto found = record.metrics.find(settings_->hourly_metric);
      if (found != record.metrics.end() && found->second.accumulator > 0) {
        all.push_back({group.Name(), name, found->second.accumulator});
      }
    }
  }
  hourly_.Record(end, TopPersistent(std::move(all), settings_->hourly_top));
}

SummaryEvent PresetRun::Summary() const {
  return {.preset = settings_->name,
          .windows = window_count_,
          .verdicts = verdict_count_,
          .hourly = hourly_.Rows()};
}

}  // namespace limpet
