// custom_judge.h: metrics of the configuration under one preset: windows in, flags and accumulators
// kept.
//
// Windows end when those of the peer groups do; flags are k of the last 2k-1 of them, as there.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/custom/compare.h"
#include "diagnoser/custom/node_names.h"
#include "diagnoser/custom/readings.h"
#include "diagnoser/custom/window.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/evidence/windows/component_records.h"
#include "diagnoser/evidence/windows/coverage.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/storage_verdicts.h"

namespace limpet {

class CustomJudge {
 public:
  // The components that are compared with each other by one metric.
  struct Group {
    Group(std::size_t number, const PresetSettings& preset) : metric(number), records(preset) {}
    std::size_t metric;
    ComponentRecords records;
    Coverage coverage;
    std::size_t members = 0;  // of the last window
    std::size_t taking_part = 0;
    std::size_t masked = 0;
    std::optional<StormEvent> storm;
  };
  using Groups = std::map<std::string, Group, std::less<>>;
  // Components that were left out of the last window of a metric.
  struct LeftOut {
    std::size_t no_node = 0;
    std::size_t two_nodes = 0;
    std::size_t few_requests = 0;
    std::size_t other_buckets = 0;
    std::size_t few_peers = 0;
  };

  // Both must outlive the judge. `grid`: the preset's number in Readings::Grids.
  CustomJudge(const PresetSettings& preset, std::size_t grid, std::span<const CustomMetric> metrics)
      : preset_(&preset), grid_(grid), metrics_(metrics), left_out_(metrics.size()) {}

  // One window of each group, by metric and group; then their storms.
  [[nodiscard]] std::vector<Event> JudgeWindow(UnixTime end, const CustomReadings& readings,
                                               const NodeNames& nodes,
                                               const std::vector<std::string>& masked,
                                               const SideBySide& for_each);

  // Returns the flags of the last window, without those of trials.
  [[nodiscard]] const StorageFindings& Findings() const { return findings_; }
  [[nodiscard]] const Groups& All() const { return groups_; }
  [[nodiscard]] std::span<const LeftOut> Left() const { return left_out_; }
  [[nodiscard]] const PresetSettings& Preset() const { return *preset_; }
  // Returns the end of the last window.
  [[nodiscard]] std::optional<UnixTime> LastEnd() const { return last_end_; }
  // Takes what an earlier run remembered of a component. False: no metric has the name.
  bool Restore(const ComponentState& state);
  void ForgetNode(std::string_view node);
  // Forgets components that were last judged before `before`, and groups without any.
  void ForgetGone(UnixTime before);

 private:
  struct Window {
    const CustomGroup* group = nullptr;
    std::size_t metric = 0;
    std::vector<std::size_t> who;  // members taking part
    CustomComparison comparison;
    std::size_t masked = 0;
    std::size_t few_requests = 0;
    std::size_t other_buckets = 0;
  };

  [[nodiscard]] Window Compare(UnixTime end, const CustomReadings& readings, std::size_t metric,
                               const CustomGroup& group,
                               const std::vector<std::string>& masked) const;
  [[nodiscard]] WindowEvent Record(UnixTime end, const Window& window);
  [[nodiscard]] WindowEvent Describe(UnixTime end, const Window& window) const;
  [[nodiscard]] Evidence CollectEvidence(const Window& window, std::size_t place,
                                         const ComponentWindow& component,
                                         const MetricRecord& record, UnixTime end) const;
  [[nodiscard]] double Threshold() const;

  const PresetSettings* preset_;
  std::size_t grid_;
  std::span<const CustomMetric> metrics_;
  Groups groups_;
  std::vector<LeftOut> left_out_;
  StorageFindings findings_;
  std::optional<UnixTime> last_end_;
};

}  // namespace limpet
