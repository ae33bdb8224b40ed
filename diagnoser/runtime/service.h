// service.h: everything that `serve` consists of, and the order in which it starts and stops.
//
//   lists → targets → plan → diagnosis (with its state) → web server → scraper or store reader
//
// What it needs of the world comes in from outside, so that a test can put it together with fakes.
// Threads: the fetcher's (sockets), the diagnosis', the web server's, the state saver's; all
// functions are called on the caller's, which waits for signals in between.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "diagnoser/config/config.h"
#include "diagnoser/runtime/diagnosis.h"
#include "diagnoser/runtime/incident_keeper.h"
#include "diagnoser/runtime/self_metrics.h"
#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/disk_prober.h"
#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/scraper.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/state/store.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/service.h"
#include "exporter/common/time.h"
#include "exporter/common/web/server.h"

namespace limpet {

// The world as the service needs it. References and pointers must outlive it.
struct ServiceWorld {
  using OptionalWebConfig = std::optional<web::WebConfig>;

  const Clock& clock;
  Fetcher& fetcher;               // stopped by the service
  StateStore* store = nullptr;    // null: no state is kept
  std::string state_folder = {};  // where the history of incidents is; empty: in memory alone
  FileReader* process = nullptr;  // /proc/self; null: the program's own use is not measured
  LogSink log;
  // Read the files, at a reload again.
  std::function<Result<DiagnoserConfig>()> load_config;
  std::function<Result<OptionalWebConfig>()> load_web_config;
  std::function<Result<std::unique_ptr<web::Server>>(OptionalWebConfig, web::Handler)> start_server;
  std::function<void(const std::string& state)> notify;  // systemd
  std::function<void(Duration)> sleep;
  std::vector<std::string> host_names = {};  // of the machine (web::OwnHostNames)
  bool ui = true;                            // the live page, if it has been built in
  std::optional<Duration> watchdog;          // how often systemd wants to hear of us
  std::size_t helpers = 0;                   // threads that judge groups beside the diagnosis' own
  bool own_thread = true;                    // false: Handle steps the diagnosis (tests)
};

class Service {
 public:
  // `config` is what load_config gave first.
  Service(ServiceWorld world, DiagnoserConfig config);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Returns when the web server cannot start everything else is stopped again.
  [[nodiscard]] Result<void> Start(ServiceWorld::OptionalWebConfig web_config);
  // Returns how long to wait for a signal before Handle.
  [[nodiscard]] Duration Patience() const;
  // Handles what came of the waiting: a signal to reload, or nothing.
  void Handle(std::optional<Wake> wake);
  // Does nothing the second time.
  void Stop();

 private:
  // Lists behind URLs take a moment; without them default groups and state would have nobody.
  void WaitForLists();
  void PollLists();
  void Reload();
  [[nodiscard]] Result<void> TryReload();
  void Use(DiagnoserConfig config);
  void SetWeb();
  // Scrapes the targets of the plan, or reads the store, as the settings say.
  void StartReading();
  [[nodiscard]] Result<void> StartServer(ServiceWorld::OptionalWebConfig web_config);
  void ScrapeTargets();
  void LogNotes() const;

  ServiceWorld world_;
  DiagnoserSettings settings_;
  SelfMetrics metrics_;
  Viewers viewers_;
  // Names that we are asked by, where dashboards are; others after a reload.
  std::mutex web_mutex_;
  std::shared_ptr<const std::vector<std::string>> allowed_hosts_;
  std::string grafana_;
  // Parts in the order in which they start; each may use those above it.
  Discovery discovery_;
  Scraper lists_;
  DiagnosisPlan plan_;
  std::optional<IncidentKeeper> keeper_;
  std::optional<Diagnosis> diagnosis_;
  std::unique_ptr<web::Server> server_;
  Scraper scraper_;
  StoreReader reader_;
  DiskProber prober_;
  bool stopped_ = false;
};

}  // namespace limpet
