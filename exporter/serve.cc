// serve.cc: the command that answers scrapes.

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/commands.h"
#include "exporter/common/exposition/prometheus_bridge.h"
#include "exporter/common/sandbox.h"
#include "exporter/common/service.h"
#include "exporter/common/web/server.h"
#include "exporter/pages.h"
#include "exporter/process.h"
#include "exporter/record/background_recorder.h"
#include "exporter/sampler/catalog.h"
#include "exporter/system_calls.h"
#include "exporter/web_settings.h"

namespace limpet {
namespace {

constexpr auto kLong = std::chrono::hours(1);
constexpr auto kUntilReady = std::chrono::milliseconds(50);
// Without a sample for this long we are not alive, whatever the web server says.
constexpr auto kStalled = std::chrono::seconds(30);

// What the page says about the configuration; written by main, read by the sampler's thread.
struct ReloadStatus {
  prometheus::Registry registry;
  prometheus::Gauge& successful = AddGauges(registry, catalog::kConfigReloadSuccessful).Add({});
  prometheus::Gauge& at = AddGauges(registry, catalog::kConfigReloadTime).Add({});

  ReloadStatus() { successful.Set(1); }  // until one fails

  [[nodiscard]] Families Metrics() const {
    return FromPrometheus(registry.Collect(), std::array{&catalog::kConfigReloadSuccessful,
                                                         &catalog::kConfigReloadTime});
  }
};

class Service {
 public:
  Service(const SettingsFlags& flags, Settings settings, const World& world)
      : flags_(flags),
        settings_(std::move(settings)),
        world_(world),
        // A clock of its own: a probe of a dead disk may outlive us.
        prober_(settings_.probe, ProbedDisksIn(settings_.devfs, settings_.sysfs),
                std::make_shared<RealClock>(), world.log) {}

  int Run() {
    Signals signals;   // before the first thread
    RaiseFileLimit();  // a descriptor a client, and the shell's 1,024 are soon used up
    auto web = LoadWeb(settings_);
    if (!web) {
      return Fail(web.error(), kExitUsage);
    }
    auto sampler = MakeServedSampler(settings_);
    if (!sampler) {
      return Fail(sampler.error(),
                  sampler.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
    }
    StartRecorder();
    // Before the web server: the first sample is being taken while the port is opened.
    sampler_ = *std::move(sampler);
    sampler_->Start();
    auto server = web::Server::Start(
        {.listen_addresses = settings_.listen_addresses, .config = *std::move(web), .limits = {}},
        ExporterPages(slot_, &prober_,
                      [this](UnixTime sampled) { demand_->Asked(world_.clock.Now(), sampled); }),
        world_.log);
    if (!server) {
      return Fail(server.error(), kExitFailed);
    }
    server_ = *std::move(server);
    EnterSandbox(SystemCalls(), ParseSandboxMode(flags_.seccomp), world_.log);
    RecordReload(true);
    for (const auto& address : server_->Addresses()) {
      world_.log(LogLevel::kInfo, "listening on " + address);
    }
    WaitForSignals(signals);
    NotifySystemd("STOPPING=1");
    // Nobody may ask for a page any more when the sampler is gone.
    server_->Stop();
    sampler_->Stop();
    StopRecorder();
    world_.log(LogLevel::kInfo, "stopped");
    return kExitOk;
  }

 private:
  int Fail(const Error& error, int code) {
    world_.log(LogLevel::kError, error.Text());
    return code;
  }

  Result<std::unique_ptr<Sampler>> MakeServedSampler(const Settings& settings) {
    return MakeSampler(
        settings, world_, [this](SnapshotPtr snapshot) { Publish(std::move(snapshot)); },
        [this] { return OwnMetrics(); },
        // A recording has every sample.
        settings.follow_scrapes && settings_.record.dir.empty() ? demand_ : nullptr);
  }

  // One tick feeds both, so the recording has the very samples that were scraped.
  void Publish(SnapshotPtr snapshot) {
    if (recorder_) {
      recorder_->Push(*snapshot);
    }
    slot_.Put(std::move(snapshot));
  }

  Families OwnMetrics() {
    auto families = status_.Metrics();
    auto probes = prober_.Metrics();
    std::move(probes.begin(), probes.end(), std::back_inserter(families));
    if (recorder_) {
      auto more = recorder_->Metrics();
      std::move(more.begin(), more.end(), std::back_inserter(families));
    }
    return families;
  }

  // A folder that cannot be written into stops nobody from being scraped: the recorder says so and
  // tries again.
  void StartRecorder() {
    auto options = settings_.record;
    if (options.dir.empty()) {
      return;
    }
    if (options.instance.empty()) {
      options.instance = HostName();
    }
    options.keep_days = options.keep_days.value_or(kServeLimits.keep_days);
    options.max_bytes = options.max_bytes.value_or(kServeLimits.max_bytes);
    recorder_ = std::make_unique<BackgroundRecorder>(
        options, MakeRecordingFolder(options.dir, options.fsync), world_.clock, world_.log);
    world_.log(LogLevel::kInfo, "recording into " + options.dir);
  }

  void StopRecorder() {
    if (!recorder_) {
      return;
    }
    recorder_->Stop();
    if (const auto lost = recorder_->LostFrames() + recorder_->Dropped(); lost != 0) {
      world_.log(LogLevel::kError, "recording: " + std::to_string(recorder_->LostFrames()) +
                                       " pieces and " + std::to_string(recorder_->Dropped()) +
                                       " samples lost");
    }
  }

  [[nodiscard]] std::vector<std::string_view> SystemCalls() const {
    std::vector<std::string_view> calls(kExporterSystemCalls.begin(), kExporterSystemCalls.end());
    if (recorder_) {
      calls.insert(calls.end(), kRecorderSystemCalls.begin(), kRecorderSystemCalls.end());
    }
    return calls;
  }

  void RecordReload(bool successful) {
    status_.successful.Set(successful ? 1 : 0);
    if (successful) {
      status_.at.Set(ToSeconds(world_.clock.Now().time_since_epoch()));
    }
  }

  void WaitForSignals(Signals& signals) {
    const auto watchdog = WatchdogInterval();
    bool ready = false;
    for (;;) {
      // Nothing to do between signals but for the watchdog, so a quiet exporter wakes up no thread.
      const auto wake = signals.Wait(!ready     ? Duration(kUntilReady)
                                     : watchdog ? std::min(Duration(kLong), *watchdog / 2)
                                                : Duration(kLong));
      if (wake == Wake::kStop) {
        return;
      }
      if (wake == Wake::kReload) {
        Reload();
      }
      const auto latest = slot_.Latest();
      if (!ready && latest) {
        // Ready means that a scrape finds something: what was needed to get here is not any more.
        ready = true;
        NotifySystemd("READY=1");
        ReleaseStartPages();
      }
      if (watchdog && latest && world_.clock.Now() - latest->At() < kStalled) {
        NotifySystemd("WATCHDOG=1");
      }
    }
  }

  void Reload() {
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
        world_.clock.Steady().time_since_epoch());
    NotifySystemd("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now.count()));
    const auto done = TryReload();
    RecordReload(done.has_value());
    if (done) {
      world_.log(LogLevel::kInfo, "configuration read again");
    } else {
      world_.log(LogLevel::kError,
                 "configuration refused, the one before stays: " + done.error().Text());
    }
    NotifySystemd("READY=1");
  }

  // Everything that can be refused is tried before anything changes.
  Result<void> TryReload() {
    auto fresh = LoadSettings(flags_);
    if (!fresh) {
      return fresh.error();
    }
    auto web = LoadWeb(*fresh);
    if (!web) {
      return web.error();
    }
    // A file that says what it said before keeps the collectors and what they remember.
    std::unique_ptr<Sampler> sampler;
    if (fresh->text != settings_.text) {
      auto made = MakeServedSampler(*fresh);
      if (!made) {
        return made.error();
      }
      sampler = *std::move(made);
    }
    if (auto done = server_->Reload(*std::move(web)); !done) {
      return done.error();
    }
    if (sampler) {
      demand_->Restart(fresh->interval);
      // The counters since the start go on from where they are: the start time stays the same, so
      // one that fell would be read as that much work in one step.
      sampler->Start(sampler_.get());
      sampler_ = std::move(sampler);
    }
    if (fresh->listen_addresses != settings_.listen_addresses) {
      world_.log(LogLevel::kWarning,
                 "web.listen_addresses has changed: that takes effect after a restart");
    }
    if (fresh->record != settings_.record) {
      world_.log(LogLevel::kWarning, "record has changed: that takes effect after a restart");
    }
    prober_.SetOptions(fresh->probe);
    settings_ = *std::move(fresh);
    return {};
  }

  const SettingsFlags& flags_;
  Settings settings_;
  const World& world_;
  // The order matters: the server and the sampler's threads use what stands above them.
  SnapshotSlot slot_;
  std::shared_ptr<Demand> demand_ = std::make_shared<Demand>(settings_.interval);
  ReloadStatus status_;
  Prober prober_;
  std::unique_ptr<BackgroundRecorder> recorder_;  // null: nothing is recorded
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<web::Server> server_;
};

}  // namespace

int RunServe(const SettingsFlags& flags, Settings settings, const World& world) {
  return Service(flags, std::move(settings), world).Run();
}

}  // namespace limpet
