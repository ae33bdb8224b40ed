// group_judge.h: one peer group under one preset: windows in, flags and accumulators kept.
//
// A window passes five steps: samples, comparison (detect/), filter and records, evidence.
// Threads: one at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/group_window.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/windows/component_records.h"
#include "diagnoser/evidence/windows/component_state.h"
#include "diagnoser/evidence/windows/coverage.h"
#include "diagnoser/evidence/windows/day_means.h"
#include "diagnoser/evidence/windows/write_records.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/series/readings.h"
#include "diagnoser/verdict/device_kinds.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/false_alarms.h"

namespace limpet {

class GroupJudge {
 public:
  // `preset` and `thresholds` (null: untrained) must outlive the judge. Recent components have the
  // thresholds of the group that they will join.
  GroupJudge(const PeerGroupRule& rule, const PresetSettings& preset, const Thresholds* thresholds);
  // Has members sampled, and metrics compared, by `for_each`.
  void WorkBy(const SideBySide& for_each) { for_each_ = for_each; }

  struct Result {
    std::vector<WindowEvent> windows;  // by metric
    std::vector<WindowEvent> untold;   // of connections, by metric; not for printing
    std::map<std::string, std::vector<Evidence>> flagged;  // by node
    std::set<std::string> balanced;                        // nodes with a byte balance
    std::set<std::string> explained;                       // of these, by their network
    std::set<std::string> segments_known;                  // nodes with counted segments
    std::set<std::string> resending;                       // of these, more than their peers
    std::vector<StormEvent> storms;                        // by metric
    std::vector<BimodalityEvent> bimodality;               // by metric; of the day that is over
    TwoSides two_sides;  // of the first metric in which the disks are of two kinds
  };
  // Storage and network groups. `grid` is the preset's number in Readings::Grids; `directory` tells
  // what the members' labels are.
  [[nodiscard]] Result JudgeWindow(UnixTime end, JudgeMode mode, const GroupMembers& members,
                                   const Directory& directory, const Readings& readings,
                                   std::size_t grid,
                                   const std::map<std::uint32_t, CwndSeconds>& connections = {});
  // Cwnd groups: no window events, only flags.
  [[nodiscard]] Result JudgeCwnd(UnixTime end, JudgeMode mode, const CwndSeconds& seconds);

  [[nodiscard]] CwndLimit FindLimit(std::string_view side) const;

  [[nodiscard]] const std::string& Name() const { return name_; }
  [[nodiscard]] GroupKind Kind() const { return kind_; }
  // Returns whether it is the group of the recent components of another one.
  [[nodiscard]] bool IsRecent() const { return trained_as_ != name_; }
  // Returns whether it is for a kind of disks that no server has.
  [[nodiscard]] bool IsSpare() const {
    return of_kind_ && members_ + masked_ == 0 && Records().empty();
  }
  // Returns whether its components are compared within their nodes only.
  [[nodiscard]] bool PerNode() const { return per_node_; }
  [[nodiscard]] const ComponentRecords::ByName& Records() const { return records_.All(); }
  // Returns whether `metric` is one of this group's kind.
  [[nodiscard]] bool Has(std::string_view metric) const;
  // See ComponentRecords.
  void ExportTo(std::vector<ComponentState>& components) const {
    records_.ExportTo(name_, components);
  }
  // Takes what an earlier run remembered of a component.
  void Restore(const ComponentState& state);
  [[nodiscard]] const WriteRecords& Writes() const { return writes_; }
  [[nodiscard]] WriteRecords& Writes() { return writes_; }
  // Forgets everybody else: a component that is not recent any more begins anew in its main group.
  void KeepOnly(const GroupMembers& members) { records_.KeepOnly(members); }
  // Forgets all components of a node that is gone for good.
  void ForgetNode(std::string_view node) { records_.ForgetNode(node); }
  [[nodiscard]] std::span<const MetricRow> Metrics() const { return limpet::Metrics(kind_); }
  // Forgets one, what it did over the day included.
  void ForgetComponent(const std::string& name) {
    records_.ForgetComponent(name);
    day_.Forget([&](const std::string& component) { return component == name; });
  }
  // Forgets components that are gone, what they did over the day included.
  void ForgetGone(const IsGone& is_gone, UnixTime before) {
    records_.ForgetGone(is_gone, before);
    day_.Forget([&](const std::string& component) {
      return !Records().contains(component) &&
             is_gone(component.substr(0, component.find('/')), component);
    });
  }
  // Returns those of the last closed window, and of the last day that is over, by metric.
  [[nodiscard]] const std::vector<StormEvent>& Storms() const { return storms_; }
  [[nodiscard]] const std::vector<BimodalityEvent>& Bimodality() const { return bimodality_; }
  // Returns what to expect of the healthy, all metrics together; nullopt: too early to say.
  [[nodiscard]] std::optional<FalseAlarmRate> ExpectedFalseAlarms() const;
  // Returns which servers its windows have compared.
  [[nodiscard]] const Coverage& Compared() const { return coverage_; }
  [[nodiscard]] std::size_t TakingPart() const { return taking_part_; }
  // The same as held against kMinPeers: servers, or where peers are those of one node, components.
  [[nodiscard]] std::size_t Comparable() const { return comparable_; }
  [[nodiscard]] std::size_t Members() const { return members_; }
  [[nodiscard]] std::size_t Masked() const { return masked_; }

 private:
  // One metric of one window on its way from comparison to evidence.
  struct Round {
    JudgeMode mode = JudgeMode::kJudge;
    const GroupSamples* group = nullptr;
    const MetricWindow* window = nullptr;
    std::optional<MetricThresholds> trained;
    std::span<ComponentRecord*> records;  // by member; null: not looked up yet

    [[nodiscard]] const MetricRow& Metric() const { return group->metrics[window->metric]; }
  };

  // One window of the group: where its samples come from.
  struct Span {
    UnixTime end;
    std::span<const Member> members;
    const Readings* readings = nullptr;
    std::size_t grid = 0;
    const std::map<std::uint32_t, CwndSeconds>* connections = nullptr;
  };
  struct Sampled {
    std::vector<MemberSamples> samples;  // by member
    Traffic traffic;
  };

  // `level`: the members to sample without their largest rises; empty: none.
  [[nodiscard]] Sampled Sample(const Span& span, const std::vector<bool>& level = {}) const;
  [[nodiscard]] GroupSamples Group(const Span& span, const Sampled& sampled) const;
  [[nodiscard]] GroupWindow Compare(const Span& span, const GroupSamples& group) const;
  [[nodiscard]] GroupWindow CompareOnce(const GroupSamples& group) const;
  void JudgeMetric(const Round& round, Result& result);
  [[nodiscard]] WindowEvent Filter(const Round& round);
  [[nodiscard]] WindowEvent Describe(const Round& round) const;  // without its components
  [[nodiscard]] ComponentWindow Weigh(const Round& round, std::size_t place) const;
  void Explain(const Round& round, const WindowEvent& event, Result& result) const;
  // When the component of that place began to stand out; nullopt where it has holes.
  [[nodiscard]] std::optional<UnixTime> LocateOnset(const Round& round, std::size_t place,
                                                    std::span<const double> medians) const;
  [[nodiscard]] Evidence CollectEvidence(const Round& round, const ComponentWindow& component,
                                         std::size_t place) const;
  void JudgeRetransmissions(UnixTime end, JudgeMode mode, const CwndSeconds& seconds,
                            Result& result);
  void AddFlags(std::vector<Evidence> flags, Result& result) const;
  void BeginWindow(std::size_t members);
  // `records` by member; null: it takes no part.
  void RecordCoverage(const GroupSamples& group, const GroupWindow& compared, JudgeMode mode,
                      std::span<ComponentRecord* const> records);
  void RecordCoverage(UnixTime end, JudgeMode mode, const CwndSeconds& seconds,
                      const std::set<std::string>& compared);
  void RecordTail(const WindowEvent& event, JudgeMode mode, const MetricRow& metric);
  void RecordStorm(const WindowEvent& event, bool of_kinds, Result& result);
  // None where the preset does not ask, or nobody is flagged.
  [[nodiscard]] DeviceKinds FindKinds(const Round& round, const WindowEvent& event) const;

  [[nodiscard]] std::optional<MetricThresholds> FindThresholds(std::string_view metric) const;
  [[nodiscard]] double ThresholdFor(const std::optional<MetricThresholds>& trained,
                                    const MetricRow& metric, std::string_view component) const;
  [[nodiscard]] double FindThreshold(const MetricRow& metric, std::string_view component) const;
  // Returns whether an upper bound will do for s of a member (detector.h).
  [[nodiscard]] bool BoundWillDo(const GroupSamples& group, std::size_t metric, std::size_t member,
                                 const Comparison& comparison, std::size_t component) const;

  std::string name_;
  std::string trained_as_;  // the group of its thresholds
  GroupKind kind_;
  bool per_node_;
  bool of_kind_;
  const PresetSettings* preset_;
  const Thresholds* thresholds_;
  std::unique_ptr<const Detector> detector_;
  SideBySide for_each_ = OneAfterTheOther;
  ComponentRecords records_;
  WriteRecords writes_;
  std::vector<StormEvent> storms_;
  std::vector<BimodalityEvent> bimodality_;
  DayMeans day_;
  std::map<std::string_view, FalseAlarmTail> tails_;  // by metric, of those that indict
  Coverage coverage_;
  std::size_t taking_part_ = 0;
  std::size_t comparable_ = 0;
  std::size_t members_ = 0;
  std::size_t masked_ = 0;
};

}  // namespace limpet
