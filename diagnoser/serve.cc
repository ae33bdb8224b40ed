#include "diagnoser/serve.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "diagnoser/config.h"
#include "diagnoser/event_file.h"
#include "diagnoser/inbox.h"
#include "diagnoser/mask_file.h"
#include "diagnoser/monitor.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/self_metrics.h"
#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/scraper.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/state/store.h"
#include "diagnoser/state_saver.h"
#include "diagnoser/web_pages.h"
#include "exporter/common/files.h"
#include "exporter/common/text.h"
#include "exporter/common/web/server.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kInboxBytes = std::size_t{256} << 20U;
constexpr Duration kForEver = 24h;
// A diagnosis that has not come round for this long hangs, whatever the web server says.
constexpr Duration kStalled = 60s;
constexpr Duration kPoll = 500ms;  // of lists of targets
constexpr Duration kWaitForLists = 10s;
constexpr Duration kListsStep = 20ms;

std::string ReloadingState(const Clock& clock) {
  const auto now =
      std::chrono::duration_cast<std::chrono::microseconds>(clock.Steady().time_since_epoch());
  return "RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now.count());
}

void LogLines(const LogSink& log, LogLevel level, const std::string& text) {
  Lines lines(text);
  while (const auto line = lines.Next()) {
    log(level, *line);
  }
}

ProcessUse ReadProcess(FileReader& proc) {
  ProcessUse use;
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    const auto of = [](const timeval& time) {
      return Duration(std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec));
    };
    use.cpu_time = of(usage.ru_utime) + of(usage.ru_stime);
  }
  if (const auto text = proc.Read("statm")) {
    Fields fields(*text);
    fields.Next();
    const auto pages = ParseU64(fields.Next()).value_or(0);
    use.resident_bytes = static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }
  return use;
}

Result<std::optional<web::WebConfig>> ReadWebConfig(const std::string& file) {
  if (file.empty()) {
    return std::optional<web::WebConfig>();
  }
  auto config = web::LoadWebConfig(file);
  if (!config) {
    return config.error();
  }
  return std::optional(std::move(*config));
}

std::vector<TargetPtr> Pointers(const std::vector<Target>& targets) {
  std::vector<TargetPtr> pointers;
  pointers.reserve(targets.size());
  for (const auto& target : targets) {
    pointers.push_back(std::make_shared<const Target>(target));
  }
  return pointers;
}

// How often windows are looked at: with every round of scrapes, once a second at most.
Duration TickOf(const DiagnoserConfig& config) {
  Duration tick = 1s;
  for (const auto& target : config.targets) {
    tick = std::min(tick, target.interval);
  }
  return tick;
}

// The diagnosis' thread: takes pages from the inbox, ticks, hands events and state on.
class Diagnosis {
 public:
  Diagnosis(DiagnoserConfig config, StateStore* store, const Clock& clock, SelfMetrics& metrics,
            LogSink log)
      : clock_(clock),
        metrics_(metrics),
        log_(log),
        brake_(std::move(log), clock, 1min),
        proc_(OpenRealFiles("/proc/self")),
        event_file_(config.events.file),
        mask_file_(config.masked_file),
        monitor_(config, store != nullptr ? store->Load(config.pipeline) : PipelineState{}, clock,
                 metrics, log_, [this](const auto& events) { Write(events); }) {
    if (store != nullptr) {
      saver_.emplace([this, store](const std::string& encoded) { Save(*store, encoded); });
    }
  }

  void Start() {
    last_tick_ = clock_.Steady();
    thread_ = std::thread([this] { Run(); });
  }
  // Ends the thread; saves the state.
  void Stop() {
    stopping_ = true;
    inbox_.Wake();
    thread_.join();
    if (saver_) {
      saver_->Offer(monitor_.EncodedState());
      saver_.reset();
    }
  }

  void Take(FetchedPage page) {
    if (!inbox_.Put(std::move(page))) {
      brake_.Write(LogLevel::kWarning, "inbox",
                   "the diagnosis cannot keep up: pages are thrown away; scrape less often or "
                   "fewer targets");
    }
  }
  void Reload(DiagnoserConfig config) {
    const std::lock_guard lock(mutex_);
    reloaded_ = std::move(config);
    retargeted_.reset();
    inbox_.Wake();
  }
  // The same configuration with other targets.
  void SetTargets(DiagnoserConfig config) {
    const std::lock_guard lock(mutex_);
    (reloaded_ ? reloaded_ : retargeted_) = std::move(config);
    inbox_.Wake();
  }
  // source: prometheus. `taken` is called once it has been used.
  void Take(StoreBatch batch, std::function<void()> taken) {
    const std::lock_guard lock(mutex_);
    batch_ = std::move(batch);
    taken_ = std::move(taken);
    inbox_.Wake();
  }
  void SetStore(StoreStatus store) {
    const std::lock_guard lock(mutex_);
    store_ = std::move(store);
  }
  [[nodiscard]] std::optional<UnixTime> LastReading() const { return monitor_.LastReading(); }
  void SetDiscovery(std::vector<SdStatus> sources) {
    const std::lock_guard lock(mutex_);
    discovery_ = std::move(sources);
  }
  [[nodiscard]] std::shared_ptr<const Published> Latest() const { return monitor_.Latest(); }
  [[nodiscard]] SteadyTime LastTick() const { return last_tick_; }

 private:
  void Run() {
    auto next = clock_.Steady();
    Duration lag{};
    while (!stopping_) {
      for (const auto& page : inbox_.Take(next)) {
        lag = std::max(lag, clock_.Steady() - page.arrived);
        monitor_.Take(page);
        unsaved_ = true;
      }
      TakeReload();
      TakeBatch();
      const auto now = clock_.Steady();
      if (now >= next) {
        metrics_.NoteIngest(inbox_.Refused(), std::exchange(lag, Duration::zero()));
        metrics_.NoteProcess(ReadProcess(*proc_));
        TakeMasks();
        (void)monitor_.Tick();
        OfferState(now);
        last_tick_ = now;
        next = std::max(next + TickOf(monitor_.Config()), now);
      }
    }
  }

  void TakeReload() {
    std::optional<DiagnoserConfig> config;
    std::optional<DiagnoserConfig> targets;
    std::optional<std::vector<SdStatus>> discovery;
    {
      const std::lock_guard lock(mutex_);
      config = std::exchange(reloaded_, std::nullopt);
      targets = std::exchange(retargeted_, std::nullopt);
      discovery = std::exchange(discovery_, std::nullopt);
    }
    if (targets) {
      monitor_.SetTargets(std::move(*targets));
    }
    if (discovery) {
      monitor_.SetDiscovery(std::move(*discovery));
    }
    if (config) {
      event_file_.Reopen(config->events.file);
      mask_file_ = MaskFile(config->masked_file);
      monitor_.Reload(std::move(*config));
    }
  }

  void TakeBatch() {
    std::optional<StoreBatch> batch;
    std::function<void()> taken;
    {
      const std::lock_guard lock(mutex_);
      batch = std::exchange(batch_, std::nullopt);
      taken = std::exchange(taken_, nullptr);
      if (store_) {
        monitor_.SetStore(*store_);
      }
    }
    if (batch) {
      monitor_.TakeBatch(*batch);
      unsaved_ = true;
      taken();
    }
  }

  void TakeMasks() {
    const auto masks = mask_file_.Changed();
    if (!masks) {
      return;
    }
    metrics_.NoteReload(masks->has_value());
    if (*masks) {
      monitor_.SetMasks(**masks);
    } else {
      log_(LogLevel::kError, masks->error().Text() + "; the masks stay as they were");
    }
  }

  void OfferState(SteadyTime now) {
    if (saver_ && unsaved_ && now - saved_at_ >= monitor_.Config().state_interval) {
      saver_->Offer(monitor_.EncodedState());
      saved_at_ = now;
      unsaved_ = false;
    }
  }

  void Save(StateStore& store, const std::string& encoded) {
    const auto saved = store.Save(encoded);
    metrics_.NoteStateSave(saved.has_value(), clock_.Now());
    if (!saved) {
      brake_.Write(LogLevel::kError, "state",
                   "the state is not saved, the diagnosis goes on: " + saved.error().Text());
    }
  }

  void Write(const std::vector<Event>& events) {
    const auto& options = monitor_.Config().events;
    if (options.file.empty()) {
      return;
    }
    std::string lines;
    std::size_t count = 0;
    for (const auto& event : events) {
      if (options.windows || !std::holds_alternative<WindowEvent>(event)) {
        lines += ToJsonLine(event);
        ++count;
      }
    }
    const auto written = event_file_.Write(lines);
    metrics_.NoteEvents(written.has_value(), count);
    if (!written) {
      brake_.Write(LogLevel::kError, "events", written.error().Text());
    }
  }

  const Clock& clock_;
  SelfMetrics& metrics_;
  LogSink log_;
  RateLimitedLog brake_;
  std::unique_ptr<FileReader> proc_;
  Inbox inbox_{kInboxBytes};
  EventFile event_file_;
  MaskFile mask_file_;
  Monitor monitor_;
  std::optional<StateSaver> saver_;
  bool unsaved_ = false;
  SteadyTime saved_at_;
  std::mutex mutex_;
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

// Lists behind URLs take a moment; without them default groups and state would have nobody.
void WaitForLists(Discovery& discovery) {
  for (Duration waited{}; waited < kWaitForLists; waited += kListsStep) {
    (void)discovery.Poll();
    if (discovery.Settled()) {
      return;
    }
    std::this_thread::sleep_for(kListsStep);
  }
}

}  // namespace

int Serve(const ServeOptions& options, Signals& signals) {
  auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    std::fprintf(stderr, "%s\n", config.error().Text().c_str());
    return 2;
  }
  const auto web_config = ReadWebConfig(options.web_config_file);
  if (!web_config) {
    std::fprintf(stderr, "%s\n", web_config.error().Text().c_str());
    return 2;
  }
  const auto level = ParseLogLevel(options.log_level);
  const auto log = StderrLog(level.value_or(config->log_level));
  const RealClock clock;
  SelfMetrics metrics(clock.Now());
  std::optional<StateStore> store;
  if (!options.state_folder.empty()) {
    if (const auto made = StateStore::MakeFolder(options.state_folder); !made) {
      log(LogLevel::kError, made.error().Text());
      return 1;
    }
    store.emplace(options.state_folder, log);
  }
  RaiseFileLimit();  // a descriptor a target
  for (const auto& note : config->notes) {
    log(LogLevel::kWarning, note);
  }
  const auto fetcher = StartFetcher(clock);
  Discovery discovery(config->fixed_targets, config->discovery, clock, log);
  Scraper lists(
      *fetcher, clock, [&](FetchedPage page) { discovery.Put(std::move(page)); },
      Scraper::First::kAtOnce);
  lists.SetTargets(discovery.HttpSources());
  WaitForLists(discovery);
  auto base = *config;  // without the targets of lists
  config = WithTargets(std::move(*config), discovery.Targets());
  const auto targets = Pointers(config->targets);
  Diagnosis diagnosis(std::move(*config), store ? &*store : nullptr, clock, metrics, log);
  auto server =
      web::Server::Start({.listen_addresses = {options.listen_address}, .config = *web_config},
                         WebPages([&diagnosis] { return diagnosis.Latest(); }), log);
  if (!server) {
    log(LogLevel::kError, server.error().Text());
    return 1;
  }
  for (const auto& address : (*server)->Addresses()) {
    log(LogLevel::kInfo, "listening on " + address);
  }
  Scraper scraper(*fetcher, clock, [&](FetchedPage page) { diagnosis.Take(std::move(page)); });
  StoreReader* reading = nullptr;
  StoreReader reader(
      *fetcher, clock,
      [&](StoreBatch batch) { diagnosis.Take(std::move(batch), [&reading] { reading->Taken(); }); },
      [&](const StoreStatus& status) { diagnosis.SetStore(status); }, log);
  reading = &reader;
  const auto read_store = [&](const DiagnoserConfig& from) {
    if (from.store) {
      reader.Start(*from.store, WantsOf(from.all_groups, from.store->step),
                   diagnosis.LastReading());
    } else {
      reader.Stop();
    }
  };
  diagnosis.SetDiscovery(discovery.Status());
  diagnosis.Start();
  read_store(base);
  scraper.SetTargets(targets);
  NotifySystemd("READY=1");
  log(LogLevel::kInfo, "watching " + std::to_string(targets.size()) + " targets");

  const auto watchdog = WatchdogInterval();
  const auto longest = watchdog ? *watchdog / 2 : kForEver;
  const auto patience = [&] {
    return discovery.Empty() ? longest : std::min<Duration>(longest, kPoll);
  };
  const auto retarget = [&] {
    base = WithTargets(std::move(base), discovery.Targets());
    scraper.SetTargets(Pointers(base.targets));
    log(LogLevel::kInfo, "watching " + std::to_string(base.targets.size()) + " targets");
  };
  for (auto wake = signals.Wait(patience()); wake != Wake::kStop; wake = signals.Wait(patience())) {
    if (watchdog && clock.Steady() - diagnosis.LastTick() < kStalled) {
      NotifySystemd("WATCHDOG=1");
    }
    if (wake != Wake::kReload) {
      if (discovery.Poll()) {
        retarget();
        diagnosis.SetTargets(base);
      }
      if (!discovery.Empty()) {
        diagnosis.SetDiscovery(discovery.Status());
      }
      continue;
    }
    NotifySystemd(ReloadingState(clock));
    auto fresh = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
    auto fresh_web = ReadWebConfig(options.web_config_file);
    auto taken = !fresh       ? Result<void>(fresh.error())
                 : !fresh_web ? Result<void>(fresh_web.error())
                              : (*server)->Reload(std::move(*fresh_web));
    metrics.NoteReload(taken.has_value());
    if (taken) {
      log(LogLevel::kInfo, "configuration reloaded");
      for (const auto& note : fresh->notes) {
        log(LogLevel::kWarning, note);
      }
      base = std::move(*fresh);
      discovery.Replace(base.fixed_targets, base.discovery);
      lists.SetTargets(discovery.HttpSources());
      WaitForLists(discovery);
      retarget();
      diagnosis.Reload(base);
      read_store(base);
      diagnosis.SetDiscovery(discovery.Status());
    } else {
      LogLines(log, LogLevel::kError, taken.error().Text());
      log(LogLevel::kError, "the new configuration is refused; the old one stays");
    }
    NotifySystemd("READY=1");
  }

  NotifySystemd("STOPPING=1");
  fetcher->Stop();
  (*server)->Stop();
  diagnosis.Stop();
  log(LogLevel::kInfo, "ended");
  return 0;
}

}  // namespace limpet
