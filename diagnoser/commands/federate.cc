#include "diagnoser/commands/federate.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/system_calls.h"
#include "diagnoser/federation/federated_pages.h"
#include "diagnoser/federation/federation_config.h"
#include "diagnoser/federation/poller.h"
#include "diagnoser/runtime/web_pages.h"
#include "exporter/common/regular_file.h"
#include "exporter/common/sandbox.h"
#include "exporter/common/web/host_check.h"
#include "exporter/common/web/server.h"
#include "exporter/common/web/web_config.h"

namespace limpet {
namespace {

constexpr Duration kForEver = std::chrono::hours(24);

Result<std::optional<web::WebConfig>> Access(const std::string& file) {
  if (file.empty()) {
    return std::optional<web::WebConfig>();
  }
  auto config = web::LoadWebConfig(file);
  return config ? Result<std::optional<web::WebConfig>>(*std::move(config)) : config.error();
}

Result<FederationConfig> Load(const std::string& file) {
  const ReadTextFile read = [](const std::string& path) { return ReadRegularFile(path); };
  const auto text = read(file);
  return text ? ParseFederation(*text, file, read) : Result<FederationConfig>(text.error());
}

// The handler of the latest configuration; requests under way keep theirs.
class LatestPages {
 public:
  void Put(web::Handler pages) {
    auto made = std::make_shared<const web::Handler>(std::move(pages));
    const std::lock_guard lock(mutex_);
    pages_.swap(made);
  }
  [[nodiscard]] std::shared_ptr<const web::Handler> Get() const {
    const std::lock_guard lock(mutex_);
    return pages_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const web::Handler> pages_;
};

web::Handler Pages(const FederationSource& source, const std::vector<std::string>& allowed_hosts) {
  auto names = std::make_shared<std::vector<std::string>>(web::OwnHostNames());
  names->insert(names->end(), allowed_hosts.begin(), allowed_hosts.end());
  return GuardHosts(FederatedPages(source), [names] { return names; });
}

// nullopt: a mistake, which changes nothing.
std::optional<FederationConfig> Reload(const FederateOptions& options, const LogSink& log) {
  auto loaded = Load(options.config_file);
  if (!loaded) {
    log(LogLevel::kError, loaded.error().Text() + "; the configuration is still the old one");
    return std::nullopt;
  }
  log(LogLevel::kInfo, "read " + options.config_file +
                           " again: " + std::to_string(loaded->members.size()) + " diagnosers");
  return *std::move(loaded);
}

}  // namespace

int Federate(const FederateOptions& options, Signals& signals) {
  auto config = Load(options.config_file);
  if (!config) {
    return Fail(config.error().Text(), kExitUsage);
  }
  auto access = Access(options.web_config_file);
  if (!access) {
    return Fail(access.error().Text(), kExitUsage);
  }
  const auto log = ServiceLog(ParseLogLevel(options.log_level).value_or(LogLevel::kInfo));
  RaiseFileLimit();
  const RealClock clock;
  LatestView board;
  Viewers viewers;
  const auto fetcher = StartFetcher(clock);
  Poller poller(
      *fetcher, clock, config->members, LIMPET_VERSION,
      [&](std::shared_ptr<const MergedView> view) { board.Put(std::move(view)); }, log);
  std::atomic<bool> reload_ok = true;
  LatestPages pages;
  const auto set_pages = [&](const FederationConfig& loaded) {
    pages.Put(Pages({.latest = [&] { return board.Get(); },
                     .members = loaded.members,
                     .fetcher = fetcher.get(),
                     .viewers = &viewers,
                     .reload_ok = [&] { return reload_ok.load(); }},
                    loaded.allowed_hosts));
  };
  set_pages(*config);
  auto server = web::Server::Start(
      {.listen_addresses = {options.listen_address}, .config = *std::move(access), .limits = {}},
      [&](const web::Request& request) { return (*pages.Get())(request); }, log);
  if (!server) {
    log(LogLevel::kError, server.error().Text());
    fetcher->Stop();
    return kExitFailed;
  }
  for (const auto& address : (*server)->Addresses()) {
    log(LogLevel::kInfo, "listening on " + address);
  }
  poller.Start();
  NotifySystemd("READY=1");
  EnterSandbox(kDiagnoserSystemCalls, ParseSandboxMode(options.seccomp), log);
  for (auto wake = signals.Wait(kForEver); wake != Wake::kStop; wake = signals.Wait(kForEver)) {
    if (wake == Wake::kReload) {
      auto loaded = Reload(options, log);
      reload_ok = loaded.has_value();
      if (loaded) {
        set_pages(*loaded);
        poller.SetMembers(std::move(loaded->members));
      }
    }
  }
  // First whoever asks, then whoever is asked: no answer comes after the server is gone.
  fetcher->Stop();
  (*server)->Stop();
  log(LogLevel::kInfo, "stopped");
  return kExitOk;
}

}  // namespace limpet
