// diagnosis.h: the diagnosis on a thread of its own: takes pages from the inbox or steps of a
// store, ticks, hands events and state on.
//
// Threads: everything but Start and Stop may be called from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "diagnoser/config/config.h"
#include "diagnoser/runtime/event_file.h"
#include "diagnoser/runtime/inbox.h"
#include "diagnoser/runtime/mask_file.h"
#include "diagnoser/runtime/monitor.h"
#include "diagnoser/runtime/self_metrics.h"
#include "diagnoser/runtime/state_saver.h"
#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/state/store.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

class Diagnosis {
 public:
  // `store` (null: no state is kept), clock and metrics must outlive it.
  Diagnosis(const DiagnoserConfig& config, StateStore* store, const Clock& clock,
            SelfMetrics& metrics, LogSink log);

  void Start();
  // Ends the thread; saves the state.
  void Stop();

  void Take(FetchedPage page);
  // source: prometheus. `taken` is called once it has been used.
  void Take(StoreBatch batch, std::function<void()> taken);
  void Reload(DiagnoserConfig config);
  // The same configuration with other targets.
  void SetTargets(DiagnoserConfig config);
  void SetStore(StoreStatus store);
  void SetDiscovery(std::vector<SdStatus> sources);

  // Of the state that it began with.
  [[nodiscard]] std::optional<UnixTime> LastReading() const { return monitor_.LastReading(); }
  [[nodiscard]] std::shared_ptr<const Published> Latest() const { return monitor_.Latest(); }
  [[nodiscard]] SteadyTime LastTick() const { return last_tick_; }

 private:
  void Run();
  void TakeReload();
  void TakeBatch();
  void TakeMasks();
  void OfferState(SteadyTime now);
  void Save(StateStore& store, const std::string& encoded);
  void Write(const std::vector<Event>& events);

  const Clock& clock_;
  SelfMetrics& metrics_;
  LogSink log_;
  RateLimitedLog limited_log_;
  std::unique_ptr<FileReader> proc_;
  Inbox inbox_;
  EventFile event_file_;
  MaskFile mask_file_;
  Monitor monitor_;
  std::optional<StateSaver> saver_;
  bool unsaved_ = false;
  SteadyTime saved_at_;
  std::mutex mutex_;  // of what waits for the thread:
  std::optional<DiagnoserConfig> reloaded_;
  std::optional<DiagnoserConfig> retargeted_;  // newer than reloaded_, of which there is none then
  std::optional<std::vector<SdStatus>> discovery_;
  std::optional<StoreBatch> batch_;
  std::function<void()> taken_;
  std::optional<StoreStatus> store_;
  std::atomic<bool> stopping_{false};
  std::atomic<SteadyTime> last_tick_;
  std::thread thread_;
};

}  // namespace limpet
