// diagnosis.h: the diagnosis on a thread of its own. Everything that happens comes as a message
// into one mailbox; between messages it ticks, hands events on and saves the state.
//
// Threads: everything but Start and Stop may be called from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "diagnoser/config/plan.h"
#include "diagnoser/config/settings.h"
#include "diagnoser/runtime/event_file.h"
#include "diagnoser/runtime/mailbox.h"
#include "diagnoser/runtime/mask_file.h"
#include "diagnoser/runtime/monitor.h"
#include "diagnoser/runtime/self_metrics.h"
#include "diagnoser/runtime/state_saver.h"
#include "diagnoser/runtime/viewers.h"
#include "diagnoser/runtime/workers.h"
#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/state/store.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

class Diagnosis {
 public:
  struct Options {
    StateStore* store = nullptr;       // null: no state is kept
    FileReader* process = nullptr;     // /proc/self; null: the program's own use is not measured
    const Viewers* viewers = nullptr;  // of the live page; null: there is none
    Monitor::ProbeSink probe = {};     // empty: no disk is read
    IncidentKeeper* keeper = nullptr;  // null: no incidents are kept
    std::size_t helpers = 0;           // threads that judge groups beside the diagnosis' own
    bool own_thread = true;            // false: the caller steps (tests with a clock of their own)
  };
  // Store, process, clock and metrics must outlive it.
  Diagnosis(DiagnoserSettings settings, const DiagnosisPlan& plan, const Options& options,
            const Clock& clock, SelfMetrics& metrics, LogSink log);

  void Start();
  // Ends the thread; saves the state.
  void Stop();
  // One round: handles what has come, ticks when that is due. The thread of its own does nothing
  // else, waiting in between; without one it is the caller's to call.
  void Step();

  void Ingest(FetchedPage page);
  // source: prometheus. `done` is called once the batch has been used.
  void Ingest(StoreBatch batch, std::function<void()> done);
  void Reload(DiagnoserSettings settings, DiagnosisPlan plan);
  // Lists have changed: the same settings, planned for other targets.
  void SetPlan(DiagnosisPlan plan);
  void SetStore(StoreStatus store);
  void SetDiscovery(std::vector<SdStatus> sources);
  // Takes what came of a round that Options::probe was asked for.
  void AddProbe(ProbeReadings readings);

  // Returns that of the state that it began with.
  [[nodiscard]] std::optional<UnixTime> LastReading() const { return monitor_.LastReading(); }
  [[nodiscard]] std::shared_ptr<const Published> Latest() const { return monitor_.Latest(); }
  [[nodiscard]] std::shared_ptr<const LiveView> LatestLive() const { return monitor_.LatestLive(); }
  // Returns when it last came round: a diagnosis whose last tick is long ago hangs.
  [[nodiscard]] SteadyTime LastTick() const { return last_tick_; }

 private:
  struct BatchMessage {
    StoreBatch batch;
    std::function<void()> done;
  };
  // Held by pointer: thousands of pages may wait, and each takes the room of the largest message.
  struct ReloadMessage {
    std::unique_ptr<DiagnoserSettings> settings;
    std::unique_ptr<DiagnosisPlan> plan;
  };
  struct PlanMessage {
    std::unique_ptr<DiagnosisPlan> plan;
  };
  struct DiscoveryMessage {
    std::vector<SdStatus> sources;
  };
  using Message = std::variant<FetchedPage, BatchMessage, ReloadMessage, PlanMessage, StoreStatus,
                               DiscoveryMessage, ProbeReadings>;

  void Handle(FetchedPage& page);
  void Handle(BatchMessage& message);
  void Handle(ReloadMessage& message);
  void Handle(PlanMessage& message);
  void Handle(StoreStatus& status);
  void Handle(DiscoveryMessage& message);
  void Handle(ProbeReadings& readings);
  void Tick(SteadyTime now);
  void ReadMasks();
  [[nodiscard]] std::vector<std::string> MasksOfAnswers() const;
  // Returns the instant of the next tick, or of the frame before it that a viewer watches.
  [[nodiscard]] SteadyTime NextTurn() const;
  void OfferState(SteadyTime now);
  void Save(StateStore& store, const std::string& encoded);
  void RecordSave(const Result<void>& saved);
  void Write(const std::vector<Event>& events);

  const Clock& clock_;
  SelfMetrics& metrics_;
  LogSink log_;
  RateLimitedLog limited_log_;
  FileReader* process_;
  const Viewers* viewers_;
  bool own_thread_;
  Mailbox<Message> mailbox_;
  EventFile event_file_;
  MaskFile mask_file_;
  IncidentKeeper* keeper_;
  std::vector<std::string> masks_of_file_;
  std::vector<std::string> masks_of_answers_;
  Workers workers_;
  Monitor monitor_;
  bool save_failed_ = false;  // the last save; the saver's once it runs
  std::optional<StateSaver> saver_;
  // The thread's own:
  bool unsaved_ = false;  // readings have come since the state was saved
  SteadyTime saved_at_;
  SteadyTime next_tick_;
  SteadyTime next_frame_;
  Duration longest_lag_{};  // of a page in the mailbox, since the last tick
  std::atomic<SteadyTime> last_tick_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace limpet
