// recorder.h: what the live page shows, collected beside the diagnosis: frames, verdicts, windows.
//
// Bounded by HistorySettings; it only looks at the pipeline and changes nothing that is published
// elsewhere.
// Threads: one at a time; a LiveView may be handed to others and does not change.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/history/activity.h"
#include "diagnoser/history/cluster.h"
#include "diagnoser/history/frame.h"
#include "diagnoser/history/heat.h"
#include "diagnoser/history/past_loads.h"
#include "diagnoser/history/settings.h"
#include "diagnoser/history/verdict_history.h"
#include "diagnoser/history/window_history.h"
#include "diagnoser/pipeline/pipeline.h"

namespace limpet {

// Everything at one instant. Pointers are never null, but `frames` may be empty at first.
struct LiveView {
  std::shared_ptr<const Cluster> cluster;
  std::vector<std::shared_ptr<const Frame>> frames;  // the latest, oldest first
  std::shared_ptr<const std::vector<VerdictPtr>> verdicts;
  std::uint64_t verdict_changes = 0;
  std::shared_ptr<const std::deque<VerdictPtr>> latest_changes;  // the last of them is the newest
  std::shared_ptr<const WindowHistory::BySeries> windows;
  std::shared_ptr<const Heat> heat;
  std::shared_ptr<const ActivitySteps> activity;
  std::shared_ptr<const PastSteps> past;
  std::shared_ptr<const std::vector<HourlyRows>> hourly;
  std::shared_ptr<const PipelineView> view;  // of its components those with accumulators
  std::optional<UnixTime> complete_since;    // verdicts before it may be missing
};

class Recorder {
 public:
  static constexpr std::size_t kKeptFrames = 16;  // a viewer that resumes gets the changes since

  Recorder(HistorySettings settings, std::vector<PresetSettings> presets);

  void Reload(HistorySettings settings, std::vector<PresetSettings> presets);
  // The pipeline is another one.
  void Restart() {
    roster_version_.reset();
    rates_at_.reset();
    activity_.Restart();
  }
  // Takes what the pipeline has just said, and its view afterwards, with all components.
  void Record(const std::vector<Event>& events, const Pipeline& pipeline, const PipelineView& all,
              UnixTime now);
  // Nodes whose cause people know and have accepted: they are shown as the others are, and stay in
  // the lists of verdicts.
  using Accepted = std::set<std::pair<std::string, std::string>>;  // node, cause
  void SetAccepted(Accepted accepted) { accepted_ = std::move(accepted); }
  // The view as it was published.
  void SetView(std::shared_ptr<const PipelineView> view) { live_.view = std::move(view); }
  // The targets. Who answers is asked before every frame.
  void SetKnown(KnownNodes known);
  using IsUp = std::function<std::optional<bool>(const std::string& node)>;
  void SetUp(const IsUp& is_up);
  // A new frame. `oldest`: who has had no reading since shows nothing. `now` names the frame.
  void AddFrame(const Pipeline& pipeline, UnixTime at, UnixTime oldest, UnixTime now);

  [[nodiscard]] std::shared_ptr<const LiveView> View() const;
  // Must be called after AddFrame.
  [[nodiscard]] std::shared_ptr<const Frame> LastFrame() const { return live_.frames.back(); }
  [[nodiscard]] std::size_t Bytes() const;

 private:
  [[nodiscard]] bool IsScale(const std::string& preset) const;
  void RecordWindows(const std::vector<Event>& events, const Pipeline& pipeline);
  void CollectBands(const std::vector<const WindowEvent*>& windows, const Pipeline& pipeline);
  void RecordStates(const PipelineView& all);
  void UpdateCluster(const Pipeline& pipeline, UnixTime now);
  void UpdateHourly(const Pipeline& pipeline, UnixTime now);
  void UpdateSlow(const Pipeline& pipeline, UnixTime at);
  void UpdateRates(const Pipeline& pipeline, UnixTime at, UnixTime oldest);

  HistorySettings settings_;
  std::vector<PresetSettings> presets_;
  KnownNodes known_;
  bool known_changed_ = true;
  std::optional<std::uint64_t> roster_version_;
  std::optional<UnixTime> began_;
  std::optional<UnixTime> cluster_at_;  // when it was last looked at
  std::optional<UnixTime> hourly_at_;
  std::optional<UnixTime> space_at_;
  std::optional<UnixTime> rates_at_;
  NodeStates states_;
  Accepted accepted_;
  VerdictHistory verdicts_;
  WindowHistory windows_;
  Heat heat_;
  ActivityLog activity_;
  PastLoads past_;
  SlowReadings slow_;
  std::vector<NodeRates> rates_;
  std::vector<std::shared_ptr<const PeerBand>> bands_;  // of the latest windows
  LiveView live_;
};

}  // namespace limpet
