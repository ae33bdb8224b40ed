#include "diagnoser/commands/serve.h"

#include <optional>
#include <thread>
#include <utility>

#include "diagnoser/commands/common_flags.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/system_calls.h"
#include "diagnoser/config/config.h"
#include "diagnoser/runtime/service.h"
#include "diagnoser/sources/fetcher.h"
#include "diagnoser/state/store.h"
#include "exporter/common/files.h"
#include "exporter/common/sandbox.h"
#include "exporter/common/web/host_check.h"

namespace limpet {
namespace {

Result<std::optional<web::WebConfig>> LoadWebConfig(const std::string& file) {
  if (file.empty()) {
    return std::optional<web::WebConfig>();
  }
  auto config = web::LoadWebConfig(file);
  return config ? Result<std::optional<web::WebConfig>>(*std::move(config)) : config.error();
}

void HandleUntilStop(Service& service, Signals& signals) {
  // Asked for anew each time: a reload may bring the first list to poll, or remove the last.
  for (auto wake = signals.Wait(service.Patience()); wake != Wake::kStop;
       wake = signals.Wait(service.Patience())) {
    service.Handle(wake);
  }
}

}  // namespace

int Serve(const ServeOptions& options, Signals& signals) {
  // The same files at the start and at every reload.
  const auto load_config = [&] {
    return LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  };
  auto config = load_config();
  if (!config) {
    return Fail(config.error().Text(), kExitUsage);
  }
  auto web_config = LoadWebConfig(options.web_config_file);
  if (!web_config) {
    return Fail(web_config.error().Text(), kExitUsage);
  }
  // The command line outranks the file; until here there was no level to log at.
  const auto log = ServiceLog(ParseLogLevel(options.log_level).value_or(config->log_level));
  const auto fail = [&](const Error& error) {
    log(LogLevel::kError, error.Text());
    return 1;
  };
  std::optional<StateStore> store;
  if (!options.state_folder.empty() && !store.emplace(options.state_folder, log).Lock()) {
    return 1;
  }
  RaiseFileLimit();  // a descriptor a target
  const RealClock clock;
  // Made before the service and so destroyed after it: its destructor still stops the fetcher.
  const auto fetcher = StartFetcher(clock);
  const auto process = OpenRealFiles("/proc/self");
  Service service({.clock = clock,
                   .fetcher = *fetcher,
                   .store = store ? &*store : nullptr,
                   .state_folder = options.state_folder,
                   .process = process.get(),
                   .log = log,
                   .load_config = load_config,
                   .load_web_config = [&] { return LoadWebConfig(options.web_config_file); },
                   .start_server =
                       [&](std::optional<web::WebConfig> access, web::Handler handler) {
                         return web::Server::Start({.listen_addresses = {options.listen_address},
                                                    .config = std::move(access),
                                                    .limits = {.allow_post = true}},
                                                   std::move(handler), log);
                       },
                   .notify = NotifySystemd,
                   .sleep = [](Duration wait) { std::this_thread::sleep_for(wait); },
                   .host_names = web::OwnHostNames(),
                   .ui = options.web_ui == "true",
                   .watchdog = WatchdogInterval(),
                   .helpers = HelperThreads(options.jobs, kMostHelpers)},
                  *std::move(config));
  if (const auto started = service.Start(*std::move(web_config)); !started) {
    return fail(started.error());
  }
  EnterSandbox(kDiagnoserSystemCalls, ParseSandboxMode(options.seccomp), log);
  HandleUntilStop(service, signals);
  service.Stop();
  return 0;
}

}  // namespace limpet
