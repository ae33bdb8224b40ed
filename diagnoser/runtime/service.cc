#include "diagnoser/runtime/service.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "diagnoser/config/store.h"
#include "diagnoser/runtime/web_pages.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kForEver = 24h;
// A diagnosis that has not come round for this long hangs, whatever the web server says.
constexpr Duration kStalled = 60s;
constexpr Duration kPoll = 500ms;  // of lists of targets
constexpr Duration kWaitForLists = 10s;
constexpr Duration kListsStep = 20ms;

// What sd_notify(3) wants to hear of a reload that takes a while.
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

std::vector<TargetPtr> MakeShared(const std::vector<Target>& targets) {
  std::vector<TargetPtr> shared;
  shared.reserve(targets.size());
  for (const auto& target : targets) {
    shared.push_back(std::make_shared<const Target>(target));
  }
  return shared;
}

}  // namespace

Service::Service(ServiceWorld world, DiagnoserConfig config)
    : world_(std::move(world)),
      settings_(std::move(config)),
      metrics_(world_.clock.Now()),
      discovery_(settings_.fixed_targets, settings_.discovery, world_.clock, world_.log),
      lists_(
          world_.fetcher, world_.clock,
          [this](FetchedPage page) { discovery_.Put(std::move(page)); }, Scraper::First::kAtOnce),
      scraper_(world_.fetcher, world_.clock,
               [this](FetchedPage page) { diagnosis_->Ingest(std::move(page)); }),
      reader_(
          world_.fetcher, world_.clock,
          [this](StoreBatch batch) {
            diagnosis_->Ingest(std::move(batch), [this] { reader_.ReadNext(); });
          },
          [this](const StoreStatus& status) { diagnosis_->SetStore(status); }, world_.log),
      prober_(world_.fetcher, world_.clock,
              [this](ProbeReadings readings) { diagnosis_->AddProbe(std::move(readings)); }) {}

Service::~Service() { Stop(); }

Result<void> Service::Start(ServiceWorld::OptionalWebConfig web_config) {
  LogNotes();
  lists_.SetTargets(discovery_.HttpSources());
  WaitForLists();
  plan_ = MakePlan(settings_, discovery_.Targets());
  keeper_.emplace(IncidentKeeper::Options{.folder = world_.state_folder,
                                          .fetcher = &world_.fetcher,
                                          .own_thread = world_.own_thread},
                  settings_.incidents, world_.clock, world_.log);
  SetWeb();
  diagnosis_.emplace(
      settings_, plan_,
      Diagnosis::Options{.store = world_.store,
                         .process = world_.process,
                         .viewers = &viewers_,
                         .probe = [this](ProbeRound round) { prober_.Ask(std::move(round)); },
                         .keeper = &*keeper_,
                         .helpers = world_.helpers,
                         .own_thread = world_.own_thread},
      world_.clock, metrics_, world_.log);
  // Before anything is scraped: a program that cannot publish should not ask a thousand servers.
  if (auto served = StartServer(std::move(web_config)); !served) {
    Stop();
    return served;
  }
  diagnosis_->SetDiscovery(discovery_.Status());
  // After its lists, or it would call itself ready without them.
  diagnosis_->Start();
  StartReading();
  world_.notify("READY=1");
  return {};
}

// What it hands out lives as long as the service; Stop ends it first.
Result<void> Service::StartServer(ServiceWorld::OptionalWebConfig web_config) {
  auto pages = WebPages([this] { return diagnosis_->Latest(); },
                        {.latest = [this] { return diagnosis_->LatestLive(); },
                         .viewers = &viewers_,
                         .recorded = std::nullopt,
                         .ui = world_.ui,
                         .clock = &world_.clock,
                         .grafana =
                             [this] {
                               const std::lock_guard lock(web_mutex_);
                               return grafana_;
                             }},
                        &*keeper_, &world_.clock);
  auto server = world_.start_server(std::move(web_config), GuardHosts(std::move(pages), [this] {
                                      const std::lock_guard lock(web_mutex_);
                                      return allowed_hosts_;
                                    }));
  if (!server) {
    return server.error();
  }
  server_ = *std::move(server);
  for (const auto& address : server_->Addresses()) {
    world_.log(LogLevel::kInfo, "listening on " + address);
  }
  return {};
}

void Service::StartReading() {
  if (settings_.store) {
    // The state that the diagnosis began with says how far the store has been read.
    reader_.Start(*settings_.store,
                  WantsOf(plan_.all_groups, settings_.store->step, settings_.custom),
                  diagnosis_->LastReading());
  } else {
    reader_.Stop();
  }
  ScrapeTargets();
}

void Service::ScrapeTargets() {
  scraper_.SetTargets(MakeShared(plan_.targets));
  world_.log(LogLevel::kInfo, "watching " + std::to_string(plan_.targets.size()) + " targets");
}

void Service::WaitForLists() {
  for (Duration waited{}; waited < kWaitForLists; waited += kListsStep) {
    (void)discovery_.Poll();
    if (discovery_.Settled()) {
      return;
    }
    world_.sleep(kListsStep);
  }
}

Duration Service::Patience() const {
  // Twice as often as systemd wants to hear of us, so that one late wake-up kills nobody.
  const auto longest = world_.watchdog ? *world_.watchdog / 2 : kForEver;
  return discovery_.Empty() ? longest : std::min<Duration>(longest, kPoll);
}

void Service::Handle(std::optional<Wake> wake) {
  if (world_.watchdog && world_.clock.Steady() - diagnosis_->LastTick() < kStalled) {
    world_.notify("WATCHDOG=1");
  }
  if (wake == Wake::kReload) {
    Reload();
  } else {
    PollLists();
  }
  if (!world_.own_thread) {
    diagnosis_->Step();
  }
}

void Service::PollLists() {
  if (discovery_.Poll()) {
    // Known groups stay: a list that loses a role for a moment must not end its groups.
    // The diagnosis hears of it first: it ignores pages of nodes that it does not know.
    plan_ = MakePlan(settings_, discovery_.Targets(), plan_.all_groups);
    diagnosis_->SetPlan(plan_);
    ScrapeTargets();
  }
  // Failures and ages change without a list changing.
  if (!discovery_.Empty()) {
    diagnosis_->SetDiscovery(discovery_.Status());
  }
}

void Service::Reload() {
  world_.notify(ReloadingState(world_.clock));
  const auto done = TryReload();
  metrics_.RecordReload(done.has_value());
  if (!done) {
    LogLines(world_.log, LogLevel::kError, done.error().Text());
    world_.log(LogLevel::kError, "the new configuration is refused; the old one stays in use");
  }
  // After a refusal too: until it hears this, systemd takes the reload to be under way.
  world_.notify("READY=1");
}

// Everything that can be refused is tried before anything changes.
Result<void> Service::TryReload() {
  auto config = world_.load_config();
  if (!config) {
    return config.error();
  }
  auto web_config = world_.load_web_config();
  if (!web_config) {
    return web_config.error();
  }
  if (auto reloaded = server_->Reload(*std::move(web_config)); !reloaded) {
    return reloaded;
  }
  Use(*std::move(config));
  return {};
}

void Service::Use(DiagnoserConfig config) {
  world_.log(LogLevel::kInfo, "configuration reloaded");
  settings_ = std::move(config);
  SetWeb();
  LogNotes();
  discovery_.Replace(settings_.fixed_targets, settings_.discovery);
  lists_.SetTargets(discovery_.HttpSources());
  WaitForLists();
  // Groups that were made of roles which are no more are gone with this.
  plan_ = MakePlan(settings_, discovery_.Targets());
  diagnosis_->Reload(settings_, plan_);
  StartReading();
  diagnosis_->SetDiscovery(discovery_.Status());
}

// The web server asks on its own thread, also while a reload changes them.
void Service::SetWeb() {
  auto names = world_.host_names;
  const auto& allowed = settings_.web.allowed_hosts;
  names.insert(names.end(), allowed.begin(), allowed.end());
  const std::lock_guard lock(web_mutex_);
  allowed_hosts_ = std::make_shared<const std::vector<std::string>>(std::move(names));
  grafana_ = settings_.web.grafana;
}

void Service::LogNotes() const {
  for (const auto& note : settings_.notes) {
    world_.log(LogLevel::kWarning, note);
  }
}

// First whoever brings something in, then whoever asks for something, then what they share.
void Service::Stop() {
  if (stopped_) {
    return;
  }
  stopped_ = true;
  if (!server_) {  // it never ran; but lists may have been asked for
    world_.fetcher.Stop();
    return;
  }
  world_.notify("STOPPING=1");
  world_.fetcher.Stop();
  server_->Stop();
  diagnosis_->Stop();
  keeper_.reset();
  world_.log(LogLevel::kInfo, "stopped");
}

}  // namespace limpet
