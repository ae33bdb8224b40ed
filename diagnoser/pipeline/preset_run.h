// preset_run.h: one preset at work: its window ends, its groups, its verdicts.
//
// Threads: one at a time.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/pipeline/cwnd_seconds.h"
#include "diagnoser/pipeline/group_judge.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/verdict/persistence.h"
#include "diagnoser/verdict/ranking.h"

namespace limpet {

class PresetRun {
 public:
  // `settings`, `thresholds` (null: untrained) and the rules must outlive the run.
  PresetRun(const PresetSettings& settings, std::size_t grid, const Thresholds* thresholds,
            const std::vector<PeerGroupRule>& groups);

  // The next window end after `first`, the first reading of the input, and after those closed.
  [[nodiscard]] UnixTime NextEnd(UnixTime first) const;
  // Closes the window time `end`. `members` and `cwnd` by group number. `behaviour`: nodes that
  // their profile indicts (ranking.h, WithBehaviour).
  [[nodiscard]] std::vector<Event> Close(UnixTime end, const std::vector<GroupMembers>& members,
                                         const Directory& directory,
                                         const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                         const Readings& readings, Behaviour behaviour);
  // After a restart: what the last closed window said, from the data it had; nothing is counted
  // again. `behaviour` is what profiles say by now.
  void Recall(const std::vector<GroupMembers>& members, const Directory& directory,
              const std::map<std::uint32_t, CwndSeconds>& cwnd, const Readings& readings,
              Behaviour behaviour);
  // The first bin that the last closed window and those to come need.
  [[nodiscard]] std::int64_t OldestBin() const;
  // After a window without data: passes over those before the next one that may have some, up to
  // `horizon`. They would have been silent, but a single wrong timestamp can make them millions.
  void SkipSilence(const Readings& readings, UnixTime horizon);
  [[nodiscard]] SummaryEvent Summary() const;

  [[nodiscard]] const PresetSettings& Settings() const { return *settings_; }
  [[nodiscard]] const std::vector<GroupJudge>& Groups() const { return groups_; }
  [[nodiscard]] std::vector<GroupJudge>& Groups() { return groups_; }
  [[nodiscard]] std::optional<UnixTime> LastEnd() const { return last_end_; }
  void SetLastEnd(UnixTime end) { last_end_ = end; }
  [[nodiscard]] const std::vector<VerdictEvent>& Verdicts() const { return verdicts_; }
  [[nodiscard]] std::uint64_t Windows() const { return window_count_; }
  [[nodiscard]] std::uint64_t VerdictCount() const { return verdict_count_; }

 private:
  // In the order windows, storms, bimodality; without the verdicts.
  [[nodiscard]] std::vector<Event> Judge(UnixTime end, JudgeMode mode,
                                         const std::vector<GroupMembers>& members,
                                         const Directory& directory,
                                         const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                         const Readings& readings);
  // Orders verdicts_ and marks those that are secondary.
  void Rank(const std::vector<GroupMembers>& members,
            const std::map<std::uint32_t, CwndSeconds>& cwnd);
  void Join(UnixTime end, Behaviour behaviour);
  void RecordHour(UnixTime end);

  const PresetSettings* settings_;
  std::size_t grid_;
  std::vector<GroupJudge> groups_;  // by rule number
  std::optional<UnixTime> last_end_;
  std::vector<VerdictEvent> verdicts_;  // of last_end_
  HourlyList hourly_;
  std::uint64_t window_count_ = 0;
  std::uint64_t verdict_count_ = 0;
};

}  // namespace limpet
