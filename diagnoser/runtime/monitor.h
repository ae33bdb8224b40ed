// monitor.h: the running diagnosis without sockets, files or threads: pages in; a published page,
// log lines and events out.
//
// Threads: one at a time for everything but Latest and LatestLive, which may be called from any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/config/plan.h"
#include "diagnoser/config/settings.h"
#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/history/recorder.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/deciding.h"
#include "diagnoser/publish/verdict_log.h"
#include "diagnoser/runtime/disk_probes.h"
#include "diagnoser/runtime/incident_keeper.h"
#include "diagnoser/runtime/memory_return.h"
#include "diagnoser/runtime/self_metrics.h"
#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/reading_spacing.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/sources/target_status.h"
#include "exporter/common/exposition/rendered_page.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

// The data that the web server hands out; never changed once published.
struct Published {
  std::shared_ptr<const RenderedPage> page;
  std::shared_ptr<const PipelineView> view;  // of its components those with accumulators
  std::vector<TargetStatus> targets;
  bool ready = false;  // every target has been tried once
};

class Monitor {
 public:
  using EventSink = std::function<void(const std::vector<Event>&)>;
  // Has disks read; what comes of it is told to AddProbe.
  using ProbeSink = std::function<void(ProbeRound)>;

  // Clock and metrics must outlive the monitor.
  // `state` has been migrated to the plan.
  Monitor(DiagnoserSettings settings, DiagnosisPlan plan, const PipelineState& state,
          const Clock& clock, SelfMetrics& metrics, LogSink log, EventSink events);

  // A page that was fetched, or not.
  void Ingest(const FetchedPage& page);
  // Closes the windows that are due, and publishes; call it about once a second. True when windows
  // were closed.
  bool Tick();
  // Replaces the configuration. Filters, accumulators and the data of the next window stay
  // where their settings do.
  void Reload(DiagnoserSettings settings, DiagnosisPlan plan);

  // Takes the targets of `next`, a plan of the same settings, with the groups and the
  // lateness that follow from them. Nodes that are gone leave their groups at once, those whose
  // role or labels are others begin anew; everybody else's filters, accumulators and data stay.
  void SetPlan(DiagnosisPlan next);
  // Takes the state of the lists of targets; not ready before all have been tried.
  void SetDiscovery(std::vector<SdStatus> sources) { discovery_ = std::move(sources); }

  // source: prometheus: everything of some steps. Closes the windows that it completes; Tick closes
  // none by the clock then.
  void Ingest(const StoreBatch& batch);
  void SetStore(StoreStatus store) { store_ = std::move(store); }
  // The last reading, which a reader of a store goes on after; nullopt: there is none.
  [[nodiscard]] std::optional<UnixTime> LastReading() const { return resume_; }

  // Groups are judged so from now on, also after a reload (Pipeline::WorkBy).
  void WorkBy(SideBySide for_each);

  // Needed for probe.enabled; without it no disk is read.
  void SetProbeSink(ProbeSink ask) { ask_probe_ = std::move(ask); }
  void AddProbe(const ProbeReadings& readings);

  // Keeps incidents there from now on; what it knows goes on. It must outlive the monitor.
  // Without it there are none.
  void SetKeeper(IncidentKeeper& keeper);

  // Takes what the file of masks says now; those of the configuration stay.
  void SetMasks(const std::vector<std::string>& of_file);

  [[nodiscard]] const DiagnoserSettings& Settings() const { return settings_; }
  // Returns the plan as it is now: its masks are those of SetMasks, its targets those of the store.
  [[nodiscard]] const DiagnosisPlan& Plan() const { return plan_; }
  // Returns what encodes the state as it is now; it may be called on any thread.
  [[nodiscard]] std::function<std::string()> SnapshotState();
  // The last that was published; never null.
  [[nodiscard]] std::shared_ptr<const Published> Latest() const;

  // Makes a new frame for the live page, beside the one that each Tick makes.
  void PublishFrame();
  // Never null.
  [[nodiscard]] std::shared_ptr<const LiveView> LatestLive() const;
  // Returns what is kept for it.
  [[nodiscard]] std::size_t HistoryBytes() const { return recorder_.Bytes(); }

 private:
  void IngestPage(const FetchedPage& page, TargetStatus& status);
  void HandleFailure(const FetchedPage& page, TargetStatus& status, FetchFailure failure,
                     const std::string& error);
  void RecordOverLimit(TargetStatus& status, std::size_t series);
  // Records what the page had to say that is another machine's.
  void RecordForeign(TargetStatus& status, const IngestStats& stats);
  void RecordSkew(TargetStatus& status, UnixTime sampled, const FetchResult& result);
  void UpdateTargets();
  void ForgetTarget(const Target& target);
  void ForgetGoneNodes(PipelineView& view, UnixTime now);
  // A new pipeline, to which what the old one remembers is migrated.
  void Restart(const PipelineConfig& config, UnixTime now);
  void Conclude(UnixTime now, const std::vector<Event>& events);
  // Verdicts with what their disks have shown since; those that want to know more are asked for.
  void JoinProbes(PipelineView& view);
  void JoinProbes(std::vector<Event>& events) const;
  void AcceptKnown();
  // Verdicts → incidents; those that are new are kept before they are published.
  void TrackIncidents(PipelineView& view);
  void JoinIncidents(std::vector<Event>& events) const;
  void JoinIncident(VerdictEvent& verdict) const;
  void PlanActs(const PipelineView& view, const std::vector<IncidentChange>& changes, UnixTime now);
  [[nodiscard]] KnownNodes ListKnown() const;
  [[nodiscard]] Judgements Judge(const PipelineView& view, UnixTime now) const;
  void AdaptDetail(const PipelineView& view);
  void LogUnseen(const PipelineView& view);
  void LogKinds(const PipelineView& view);
  // What a store has, or has not, that keeps all from being judged.
  void LogStore(const StoreBatch& batch);
  void Publish();

  DiagnoserSettings settings_;
  DiagnosisPlan plan_;
  const Clock& clock_;
  SelfMetrics& metrics_;
  LogSink log_;
  RateLimitedLog limited_log_;
  ReadingSpacing spacing_;  // of a store
  EventSink events_;
  ProbeSink ask_probe_;
  DiskProbes probes_;
  SideBySide for_each_ = OneAfterTheOther;
  Pipeline pipeline_;
  std::map<std::string, TargetStatus> statuses_;                                    // by node
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> labels_;  // by node
  std::map<std::string, UnixTime> gone_;  // nodes remembered that are no targets, since when
  std::vector<SdStatus> discovery_;
  std::optional<StoreStatus> store_;
  std::optional<UnixTime> read_until_;  // source: prometheus; everything up to it has come
  std::optional<UnixTime> resume_;      // of the state we began with
  VerdictLog verdict_log_;
  DecidingWindows deciding_;
  IncidentTracker incidents_;
  ActPlanner acts_;
  IncidentKeeper* keeper_ = nullptr;
  MemoryReturn memory_;
  UnixTime concluded_at_;
  Detail detail_ = Detail::kAll;                       // of the latest view, never kAuto
  bool unseen_logged_ = false;                         // trained components that are not there
  std::map<std::string, DiskKindsStatus> told_kinds_;  // by group
  bool stale_logged_ = false;                          // that the model of the profiles is stale
  UnixTime ticked_at_;
  Recorder recorder_;
  std::shared_ptr<const PipelineView> view_;
  std::shared_ptr<const Families> verdicts_;

  mutable std::mutex published_mutex_;
  std::shared_ptr<const Published> published_;
  std::shared_ptr<const LiveView> live_;
};

}  // namespace limpet
