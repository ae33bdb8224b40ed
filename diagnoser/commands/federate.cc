#include "diagnoser/commands/federate.h"

#include <memory>
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
  Poller poller(*fetcher, clock, config->members, LIMPET_VERSION,
                [&](std::shared_ptr<const MergedView> view) { board.Put(std::move(view)); });
  auto names = web::OwnHostNames();
  names.insert(names.end(), config->allowed_hosts.begin(), config->allowed_hosts.end());
  auto pages = FederatedPages({.latest = [&] { return board.Get(); },
                               .members = config->members,
                               .fetcher = fetcher.get(),
                               .viewers = &viewers});
  auto server = web::Server::Start(
      {.listen_addresses = {options.listen_address}, .config = *std::move(access), .limits = {}},
      GuardHosts(std::move(pages), [allowed = std::make_shared<const std::vector<std::string>>(
                                        std::move(names))] { return allowed; }),
      log);
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
  while (signals.Wait(kForEver) != Wake::kStop) {
  }
  // First whoever asks, then whoever is asked: no answer comes after the server is gone.
  fetcher->Stop();
  (*server)->Stop();
  log(LogLevel::kInfo, "stopped");
  return kExitOk;
}

}  // namespace limpet
