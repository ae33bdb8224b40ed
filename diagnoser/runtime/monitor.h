// monitor.h: the running diagnosis without sockets, files or threads: pages in; a published page,
// log lines and events out.
//
// Threads: one at a time for everything but Latest, which may be called from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/config/config.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/verdict_log.h"
#include "diagnoser/runtime/self_metrics.h"
#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/sources/target_status.h"
#include "exporter/common/exposition/rendered_page.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

// What the web server hands out; never changed once published.
struct Published {
  std::shared_ptr<const RenderedPage> page;
  std::shared_ptr<const PipelineView> view;  // of its components those with accumulators
  VerdictLog verdict_log;
  std::vector<TargetStatus> targets;
  bool ready = false;  // every target has been tried once
};

class Monitor {
 public:
  using EventSink = std::function<void(const std::vector<Event>&)>;

  // Clock and metrics must outlive the monitor.
  Monitor(DiagnoserConfig config, const PipelineState& state, const Clock& clock,
          SelfMetrics& metrics, LogSink log, EventSink events);

  // A page that was fetched, or not.
  void Take(const FetchedPage& page);
  // Closes the windows that are due, and publishes; call it about once a second. True when windows
  // were closed.
  bool Tick();
  // From now on this configuration. Filters, accumulators and the data of the next window stay
  // where their settings do.
  void Reload(DiagnoserConfig config);

  // From now on the targets of `next` (WithTargets), with the groups and the lateness that follow
  // from them. Nodes that are gone leave their groups at once, those whose role or labels are
  // others begin anew; everybody else's filters, accumulators and data stay.
  void SetTargets(DiagnoserConfig next);
  // How the lists of targets are doing; not ready before all have been tried.
  void SetDiscovery(std::vector<SdStatus> sources) { discovery_ = std::move(sources); }

  // source: prometheus: everything of some steps. Closes the windows that it completes; Tick closes
  // none by the clock then.
  void TakeBatch(const StoreBatch& batch);
  void SetStore(StoreStatus store) { store_ = std::move(store); }
  // The last reading, which a reader of a store goes on after; nullopt: there is none.
  [[nodiscard]] std::optional<UnixTime> LastReading() const { return resume_; }

  // What the file of masks says now; those of the configuration stay.
  void SetMasks(const std::vector<std::string>& of_file);

  [[nodiscard]] const DiagnoserConfig& Config() const { return config_; }
  [[nodiscard]] std::string EncodedState() const;
  // The last that was published; never null.
  [[nodiscard]] std::shared_ptr<const Published> Latest() const;

 private:
  void Ingest(const FetchedPage& page, TargetStatus& status);
  void Failed(const FetchedPage& page, TargetStatus& status, FetchFailure failure,
              const std::string& error);
  void RecordSkew(TargetStatus& status, UnixTime sampled, UnixTime asked);
  void RecordTargets();
  void ForgetGoneNodes(PipelineView& view, UnixTime now);
  // A new pipeline that goes on where the old one stands.
  void Restart(const PipelineConfig& config, UnixTime now);
  void Conclude(UnixTime now);
  void TellUnseen(const PipelineView& view);
  void Publish();

  DiagnoserConfig config_;
  const Clock& clock_;
  SelfMetrics& metrics_;
  LogSink log_;
  RateLimitedLog limited_log_;
  EventSink events_;
  Pipeline pipeline_;
  std::map<std::string, TargetStatus> statuses_;                                    // by node
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> labels_;  // by node
  std::map<std::string, UnixTime> gone_;  // nodes remembered that are no targets, since when
  std::vector<SdStatus> discovery_;
  std::optional<StoreStatus> store_;
  std::optional<UnixTime> read_until_;  // source: prometheus; everything up to it has come
  std::optional<UnixTime> resume_;      // of the state we began with
  VerdictLog verdict_log_;
  UnixTime concluded_at_;
  bool unseen_told_ = false;  // of trained components that are not there
  bool model_stale_ = false;  // has been said
  UnixTime ticked_at_;
  std::shared_ptr<const PipelineView> view_;
  std::shared_ptr<const Families> verdicts_;

  mutable std::mutex published_mutex_;
  std::shared_ptr<const Published> published_;
};

}  // namespace limpet
