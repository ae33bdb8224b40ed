// group_judge.h: one peer group under one preset: windows in, flags and accumulators kept.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/peers.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/pipeline/cwnd_seconds.h"
#include "diagnoser/pipeline/day_means.h"
#include "diagnoser/pipeline/state.h"
#include "diagnoser/series/readings.h"
#include "diagnoser/series/window_samples.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/evidence.h"
#include "diagnoser/verdict/filter.h"
#include "diagnoser/verdict/persistence.h"

namespace limpet {

// What is remembered of one component and metric, and what the last closed window said.
struct MetricRecord {
  std::vector<FilterEntry> recent;
  std::uint32_t accumulator = 0;
  bool flagged = false;
  double degree = 0;  // filtered
  std::optional<double> effect;
  Episodes episodes;
};
struct ComponentRecord {
  std::string node;
  std::string device;
  std::map<std::string, MetricRecord, std::less<>> metrics;
};

// Recall: the window was closed before; filters and accumulators know it already.
enum class JudgeMode { kJudge, kRecall };

class GroupJudge {
 public:
  // `preset` and `thresholds` (null: untrained) must outlive the judge. Recent components have the
  // thresholds of the group that they will join.
  GroupJudge(const PeerGroupRule& rule, const PresetSettings& preset, const Thresholds* thresholds)
      : name_(rule.name),
        trained_as_(rule.recent_of.empty() ? rule.name : rule.recent_of),
        kind_(rule.kind),
        preset_(&preset),
        thresholds_(thresholds) {}

  struct Result {
    std::vector<WindowEvent> windows;                      // by metric
    std::map<std::string, std::vector<Evidence>> flagged;  // by node
    std::vector<StormEvent> storms;                        // by metric
    std::vector<BimodalityEvent> bimodality;               // by metric; of the day that is over
  };
  // Storage and network groups. `grid` is the preset's number in Readings::Grids; `directory` tells
  // what the members' labels are.
  [[nodiscard]] Result JudgeWindow(UnixTime end, JudgeMode mode, const GroupMembers& members,
                                   const Directory& directory, const Readings& readings,
                                   std::size_t grid);
  // Cwnd groups: no window events, only flags.
  [[nodiscard]] Result JudgeCwnd(UnixTime end, JudgeMode mode, const CwndSeconds& seconds);

  // f of one side and whether it was trained.
  struct CwndLimit {
    double f = 0.5;
    bool trained = false;
  };
  [[nodiscard]] CwndLimit LimitOf(std::string_view side) const;

  [[nodiscard]] const std::string& Name() const { return name_; }
  [[nodiscard]] GroupKind Kind() const { return kind_; }
  [[nodiscard]] const std::map<std::string, ComponentRecord>& Records() const { return records_; }
  // Whether `metric` is one of this group's kind.
  [[nodiscard]] bool Has(std::string_view metric) const;
  // What an earlier run remembered of a component.
  void Restore(const ComponentState& state);
  // Forgets everybody else: a component that is not recent any more begins anew in its main group.
  void KeepOnly(const GroupMembers& members);
  // Forgets all components of a node that is gone for good.
  void ForgetNode(std::string_view node);
  [[nodiscard]] std::span<const std::string_view> Metrics() const;
  // Of the last closed window, and of the last day that is over, by metric.
  [[nodiscard]] const std::vector<StormEvent>& Storms() const { return storms_; }
  [[nodiscard]] const std::vector<BimodalityEvent>& Bimodality() const { return bimodality_; }
  [[nodiscard]] std::size_t TakingPart() const { return taking_part_; }
  [[nodiscard]] std::size_t Members() const { return members_; }
  [[nodiscard]] std::size_t Masked() const { return masked_; }

 private:
  void ClearFlags();
  void RecordStorm(const WindowEvent& event, Result& result);
  void CheckBimodality(UnixTime end, const GroupMembers& members, const Directory& directory,
                       Result& result);
  ComponentRecord& RecordOf(const Member& member);
  MetricRecord& Note(ComponentRecord& component, std::string_view metric, JudgeMode mode,
                     const FilterEntry& now, double threshold) const;
  [[nodiscard]] Duration Shift() const;
  [[nodiscard]] double ThresholdOf(std::string_view metric, const Member& member) const;
  // In a window that the filter still holds.
  [[nodiscard]] bool WasAnomalous(std::string_view metric, const Member& member) const;
  // Whether nobody misses the exact s of `component` (peers.h).
  [[nodiscard]] bool BoundWillDo(std::string_view metric, const Member& member,
                                 const MemberSamples& samples, const PeerComparison& comparison,
                                 std::size_t component) const;

  std::string name_;
  std::string trained_as_;  // the group of its thresholds
  GroupKind kind_;
  const PresetSettings* preset_;
  const Thresholds* thresholds_;
  std::map<std::string, ComponentRecord> records_;
  std::vector<StormEvent> storms_;
  std::vector<BimodalityEvent> bimodality_;
  DayMeans day_;
  std::size_t taking_part_ = 0;
  std::size_t members_ = 0;
  std::size_t masked_ = 0;
};

}  // namespace limpet
