#include "diagnoser/commands/serve.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "diagnoser/config/config.h"
#include "diagnoser/runtime/diagnosis.h"
#include "diagnoser/runtime/self_metrics.h"
#include "diagnoser/runtime/web_pages.h"
#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/scraper.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/state/store.h"
#include "exporter/common/text.h"
#include "exporter/common/web/server.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

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
    fetcher->Stop();  // before whom it calls
    return 1;
  }
  for (const auto& address : (*server)->Addresses()) {
    log(LogLevel::kInfo, "listening on " + address);
  }
  Scraper scraper(*fetcher, clock, [&](FetchedPage page) { diagnosis.Take(std::move(page)); });
  StoreReader* reading = nullptr;
  StoreReader reader(
      *fetcher, clock,
      [&](StoreBatch batch) {
        diagnosis.Take(std::move(batch), [&reading] { reading->ReadNext(); });
      },
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
    metrics.RecordReload(taken.has_value());
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
