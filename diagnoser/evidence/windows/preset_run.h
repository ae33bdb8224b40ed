// preset_run.h: one preset, or one time scale of it, at work: its window ends, groups and flags.
//
// Threads: one at a time.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/windows/group_judge.h"
#include "diagnoser/verdict/persistence.h"

namespace limpet {

class PresetRun {
 public:
  // `settings`, `thresholds` (null: untrained) and the rules must outlive the run.
  PresetRun(const PresetSettings& settings, std::size_t grid, const Thresholds* thresholds,
            const std::vector<PeerGroupRule>& groups);

  // See Pipeline::WorkBy.
  void WorkBy(const SideBySide& for_each);
  // The next window end after `first`, the first reading of the input, and after those closed.
  [[nodiscard]] UnixTime NextEnd(UnixTime first) const;
  // Closes the window time `end`: windows, storms, bimodality, in this order. `members` and `cwnd`
  // by group number.
  [[nodiscard]] std::vector<Event> Close(UnixTime end, const std::vector<GroupMembers>& members,
                                         const Directory& directory,
                                         const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                         const Readings& readings);
  // Counts windows of metrics of the configuration, which another judge has closed.
  void CountWindows(const std::vector<Event>& events);
  // Called after a restart: recalls what the last closed window said, from the data it had; nothing
  // is counted again.
  void Recall(const std::vector<GroupMembers>& members, const Directory& directory,
              const std::map<std::uint32_t, CwndSeconds>& cwnd, const Readings& readings);
  // Adds the accumulators at `end` to the hourly list. An hour without any event is left out of it.
  void RecordHour(UnixTime end);
  // The first bin that the last closed window and those to come need.
  [[nodiscard]] std::int64_t OldestBin() const;
  // Called after a window without data: passes over those before the next one that may have some,
  // up to `horizon`. They would have been silent, but a single wrong timestamp can make them
  // millions.
  void SkipSilence(const Readings& readings, UnixTime horizon);
  // Returns a summary without the number of verdicts.
  [[nodiscard]] SummaryEvent Summary() const;

  [[nodiscard]] const PresetSettings& Settings() const { return *settings_; }
  [[nodiscard]] std::size_t Grid() const { return grid_; }
  [[nodiscard]] const std::vector<GroupJudge>& Groups() const { return groups_; }
  [[nodiscard]] std::vector<GroupJudge>& Groups() { return groups_; }
  [[nodiscard]] std::optional<UnixTime> LastEnd() const { return last_end_; }
  void SetLastEnd(UnixTime end) { last_end_ = end; }
  // Returns evidence by node, of the last closed window.
  [[nodiscard]] const std::map<std::string, std::vector<Evidence>>& Flagged() const {
    return flagged_;
  }
  // Its windows of connections, which are no events of the output.
  [[nodiscard]] const std::vector<Event>& Untold() const { return untold_; }
  // Nodes whose byte balance that window compared.
  [[nodiscard]] const std::set<std::string>& Balanced() const { return balanced_; }
  // Returns the nodes of these whose network explains what their disks move.
  [[nodiscard]] const std::set<std::string>& Explained() const { return explained_; }
  // Nodes whose segments, sent and sent again, it knew.
  [[nodiscard]] const std::set<std::string>& SegmentsKnown() const { return segments_known_; }
  // Returns the nodes of these that send, or are sent, more segments again than their peers.
  [[nodiscard]] const std::set<std::string>& Resending() const { return resending_; }
  // Returns of it, by group, devices of two kinds.
  [[nodiscard]] const std::vector<TwoSides>& Sides() const { return sides_; }
  [[nodiscard]] std::uint64_t Windows() const { return window_count_; }
  // Returns the number of those in which there were enough peers.
  [[nodiscard]] std::uint64_t Compared() const { return compared_count_; }
  // The first window end at which a server that has readings since `first` may have a verdict.
  [[nodiscard]] UnixTime FirstVerdict(UnixTime first) const;

 private:
  [[nodiscard]] std::vector<Event> Judge(UnixTime end, JudgeMode mode,
                                         const std::vector<GroupMembers>& members,
                                         const Directory& directory,
                                         const std::map<std::uint32_t, CwndSeconds>& cwnd,
                                         const Readings& readings);

  const PresetSettings* settings_;
  std::size_t grid_;
  std::vector<GroupJudge> groups_;  // by rule number
  SideBySide for_each_ = OneAfterTheOther;
  std::optional<UnixTime> last_end_;
  std::map<std::string, std::vector<Evidence>> flagged_;
  std::vector<Event> untold_;
  std::set<std::string> balanced_;
  std::set<std::string> explained_;
  std::set<std::string> segments_known_;
  std::set<std::string> resending_;
  std::vector<TwoSides> sides_;
  HourlyList hourly_;
  std::uint64_t window_count_ = 0;
  std::uint64_t compared_count_ = 0;
};

}  // namespace limpet
