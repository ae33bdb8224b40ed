// serve.cc: the command that answers scrapes.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "exporter/commands.h"
#include "exporter/common/exposition/catalog/sampler.h"
#include "exporter/common/exposition/negotiate.h"
#include "exporter/common/service.h"
#include "exporter/common/web/landing.h"
#include "exporter/common/web/router.h"
#include "exporter/common/web/server.h"
#include "exporter/process.h"

namespace limpet {
namespace {

constexpr auto kLong = std::chrono::hours(1);
constexpr auto kUntilReady = std::chrono::milliseconds(50);
// Without a sample for this long we are not alive, whatever the web server says.
constexpr auto kStalled = std::chrono::seconds(30);

web::Response MetricsPage(const SnapshotSlot& slot, const web::Request& request) {
  const auto snapshot = slot.Latest();
  if (!snapshot) {
    return web::Text(503, "no sample yet; the first one comes within two seconds\n");
  }
  const auto agreed = Negotiate(request.accept, request.accept_encoding);
  web::Response response;
  response.content_type = ContentType(agreed.format);
  response.content_encoding = agreed.gzip ? "gzip" : "";
  response.body = snapshot->Page(agreed.format, agreed.gzip);
  response.headers.emplace_back("Vary", "Accept, Accept-Encoding");
  return response;
}

web::Handler Routes(const SnapshotSlot& slot) {
  web::Router router;
  router.Add("/metrics", [&slot](const auto& request) { return MetricsPage(slot, request); });
  router.AddHealth("limpet-exporter", [&slot] { return slot.Latest() != nullptr; });
  router.Add("/", web::LandingHandler(
                      {.name = "limpet-exporter",
                       .description = "Disks, network and TCP connections, sampled once a second.",
                       .version = LIMPET_VERSION,
                       .links = {{"/metrics", "Metrics", "the latest sample, for Prometheus"},
                                 {"/-/healthy", "Health", "200 while it answers"},
                                 {"/-/ready", "Readiness", "200 once there is a sample"}}}));
  return router.AsHandler();
}

Result<std::optional<web::WebConfig>> LoadWeb(const Settings& settings) {
  if (settings.web_config_file.empty()) {
    return std::optional<web::WebConfig>();
  }
  auto loaded = web::LoadWebConfig(settings.web_config_file);
  if (!loaded) {
    return loaded.error();
  }
  return std::optional(*std::move(loaded));
}

// What the page says about the configuration; written by main, read by the sampler's thread.
struct ReloadStatus {
  std::atomic<bool> successful{true};
  std::atomic<double> at{0};

  [[nodiscard]] Families Metrics() const {
    return {{&catalog::kConfigReloadSuccessful, {{nullptr, successful ? 1.0 : 0.0}}},
            {&catalog::kConfigReloadTime, {{nullptr, at}}}};
  }
};

class Service {
 public:
  Service(const SettingsFlags& flags, Settings settings, const World& world)
      : flags_(flags), settings_(std::move(settings)), world_(world) {}

  int Run() {
    Signals signals;  // before the first thread
    auto web = LoadWeb(settings_);
    if (!web) {
      return Fail(web.error(), kExitUsage);
    }
    auto sampler = StartSampler(settings_);
    if (!sampler) {
      return Fail(sampler.error(),
                  sampler.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
    }
    sampler_ = *std::move(sampler);
    auto server = web::Server::Start(
        {.listen_addresses = settings_.listen_addresses, .config = *std::move(web), .limits = {}},
        Routes(slot_), world_.log);
    if (!server) {
      return Fail(server.error(), kExitFailed);
    }
    server_ = *std::move(server);
    NoteReload(true);
    for (const auto& address : server_->Addresses()) {
      world_.log(LogLevel::kInfo, "listening on " + address);
    }
    WaitForSignals(signals);
    NotifySystemd("STOPPING=1");
    server_->Stop();
    sampler_->Stop();
    world_.log(LogLevel::kInfo, "stopped");
    return kExitOk;
  }

 private:
  int Fail(const Error& error, int code) {
    world_.log(LogLevel::kError, error.Text());
    return code;
  }

  Result<std::unique_ptr<Sampler>> StartSampler(const Settings& settings) {
    return StartSampling(
        settings, world_, [this](SnapshotPtr snapshot) { slot_.Put(std::move(snapshot)); },
        [this] { return status_.Metrics(); });
  }

  void NoteReload(bool successful) {
    status_.successful = successful;
    if (successful) {
      status_.at = ToSeconds(world_.clock.Now().time_since_epoch());
    }
  }

  void WaitForSignals(Signals& signals) {
    const auto watchdog = WatchdogInterval();
    bool ready = false;
    for (;;) {
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
    NoteReload(done.has_value());
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
      auto started = StartSampler(*fresh);
      if (!started) {
        return started.error();
      }
      sampler = *std::move(started);
    }
    if (auto done = server_->Reload(*std::move(web)); !done) {
      return done.error();
    }
    if (sampler) {
      sampler_.swap(sampler);
      sampler.reset();  // the old one
    }
    if (fresh->listen_addresses != settings_.listen_addresses) {
      world_.log(LogLevel::kWarning,
                 "web.listen_addresses has changed: that takes effect after a restart");
    }
    settings_ = *std::move(fresh);
    return {};
  }

  const SettingsFlags& flags_;
  Settings settings_;
  const World& world_;
  // The order matters: the server and the sampler's threads use what stands above them.
  SnapshotSlot slot_;
  ReloadStatus status_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<web::Server> server_;
};

}  // namespace

int RunServe(const SettingsFlags& flags, Settings settings, const World& world) {
  return Service(flags, std::move(settings), world).Run();
}

}  // namespace limpet
