#include "diagnoser/evidence/windows/preset_run.h"

#include <iterator>
#include <utility>

#include "diagnoser/detect/group_window.h"
#include "diagnoser/series/course.h"

namespace limpet {

PresetRun::PresetRun(const PresetSettings& settings, std::size_t grid, const Thresholds* thresholds,
                     const std::vector<PeerGroupRule>& groups)
    : settings_(&settings), grid_(grid) {
  for (const auto& group : groups) {
    groups_.emplace_back(group, settings, thresholds);
  }
}

void PresetRun::WorkBy(const SideBySide& for_each) {
  for_each_ = for_each;
  for (auto& group : groups_) {
    group.WorkBy(for_each);
  }
}

UnixTime PresetRun::NextEnd(UnixTime first) const {
  const auto shift = settings_->Shift();
  const auto after = last_end_ ? std::max(*last_end_, first) : first;
  // Ends are multiples of the shift since 1970: presets and replays agree on them.
  return UnixTime(shift * (after.time_since_epoch() / shift + 1));
}

// A window counts with four fifths of its samples, and the flag wants k windows.
UnixTime PresetRun::FirstVerdict(UnixTime first) const {
  const auto shift = settings_->Shift();
  const auto full =
      first + settings_->step * static_cast<Duration::rep>(MinSamples(settings_->window));
  const auto window = UnixTime(shift * ((full.time_since_epoch() + shift - Duration(1)) / shift));
  return window + shift * (static_cast<Duration::rep>(settings_->k) - 1);
}

std::vector<Event> PresetRun::Judge(UnixTime end, JudgeMode mode,
                                    const std::vector<GroupMembers>& members,
                                    const Directory& directory,
                                    const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                    const Readings& readings) {
  std::vector<Event> events;
  std::vector<Event> of_groups;
  flagged_.clear();
  untold_.clear();
  balanced_.clear();
  explained_.clear();
  segments_known_.clear();
  resending_.clear();
  sides_.clear();
  // Each group writes its own result and its own records; everything else is only read.
  std::vector<GroupJudge::Result> results(groups_.size());
  for_each_(groups_.size(), [&](std::size_t i) {
    auto& group = groups_[i];
    const auto number = static_cast<std::uint32_t>(i);
    results[i] = KindRow(group.Kind()).by_connection
                     ? group.JudgeCwnd(end, mode, cwnd.at(number))
                     : group.JudgeWindow(end, mode, members[i], directory, readings, grid_, cwnd);
  });
  for (auto& result : results) {
    sides_.push_back(std::move(result.two_sides));
    for (auto& window : result.windows) {
      events.emplace_back(std::move(window));
    }
    for (auto& window : result.untold) {
      untold_.emplace_back(std::move(window));
    }
    for (auto& storm : result.storms) {
      of_groups.emplace_back(std::move(storm));
    }
    for (auto& found : result.bimodality) {
      of_groups.emplace_back(std::move(found));
    }
    balanced_.merge(result.balanced);
    explained_.merge(result.explained);
    segments_known_.merge(result.segments_known);
    resending_.merge(result.resending);
    for (auto& [node, evidence] : result.flagged) {
      auto& all = flagged_[node];
      for (auto& one : evidence) {
        one.scale = settings_->scale_of.scale;
        all.push_back(std::move(one));
      }
    }
  }
  events.insert(events.end(), std::make_move_iterator(of_groups.begin()),
                std::make_move_iterator(of_groups.end()));
  return events;
}

std::vector<Event> PresetRun::Close(UnixTime end, const std::vector<GroupMembers>& members,
                                    const Directory& directory,
                                    const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                    const Readings& readings) {
  auto events = Judge(end, JudgeMode::kJudge, members, directory, cwnd, readings);
  last_end_ = end;
  CountWindows(events);
  return events;
}

void PresetRun::CountWindows(const std::vector<Event>& events) {
  for (const auto& event : events) {
    if (const auto* const window = std::get_if<WindowEvent>(&event)) {
      ++window_count_;
      compared_count_ += window->undetermined ? 0U : 1U;
    }
  }
}

void PresetRun::Recall(const std::vector<GroupMembers>& members, const Directory& directory,
                       const std::map<std::uint32_t, CwndSeconds>& cwnd, const Readings& readings) {
  if (last_end_) {
    (void)Judge(*last_end_, JudgeMode::kRecall, members, directory, cwnd, readings);
  }
}

std::int64_t PresetRun::OldestBin() const {
  const auto span = static_cast<std::int64_t>(CourseSteps(settings_->Shape()));
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
  if (settings_->IsScale()) {
    return;  // persistence is that of the preset's own windows
  }
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
  return {
      .preset = settings_->name, .windows = window_count_, .verdicts = 0, .hourly = hourly_.Rows()};
}

}  // namespace limpet
