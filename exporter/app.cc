#include "exporter/app.h"

#include <utility>

#include "exporter/commands.h"
#include "exporter/settings_flags.h"

namespace limpet {
namespace {

using Print = std::function<void(std::string_view)>;

using MakeLog = LogSink (*)(LogLevel);

// A service samples on, whoever reads its log.
LogSink OfService(LogLevel least) { return ServiceLog(least); }

// A subcommand that samples: `run(flags, settings, world)` after the settings are read.
template <class Options, class Run>
Subcommand Sampling(const char* name, const char* help, const Clock& clock, const Print& print,
                    MakeLog make_log, Run run) {
  return MakeSubcommand<Options>(name, help, [&clock, print, make_log, run](const Options& flags) {
    auto settings = LoadSettings(flags);
    if (!settings) {
      return Refuse(settings.error().Text());
    }
    const auto log = make_log(settings->log_level);
    const World world{clock, clock.Now(), log, print, std::make_shared<bpf::Loader>(log)};
    return run(flags, *std::move(settings), world);
  });
}

}  // namespace

int Refuse(const std::string& text) {
  StderrLog(LogLevel::kInfo)(LogLevel::kError, text);
  return kExitUsage;
}

Program ExporterProgram(const Clock& clock, const Print& print) {
  return {
      .name = "limpet-exporter",
      .description =
          "Samples disks, network and TCP connections once a second for Prometheus and "
          "limpet-diagnoser.",
      .commands = {Sampling<ServeFlags>("serve", "serve the latest sample over HTTP (the default)",
                                        clock, print, OfService, RunServe),
                   Sampling<OnceFlags>("once", "print one sample and exit", clock, print, StderrLog,
                                       [](const auto&, const Settings& settings,
                                          const World& world) { return RunOnce(settings, world); }),
                   Sampling<RecordFlags>(
                       "record", "write daily recordings for limpet-diagnoser", clock, print,
                       OfService,
                       [](const auto&, const Settings& settings, const World& world) {
                         return RunRecord(settings, world);
                       }),
                   MakeSubcommand<SyscallsFlags>(
                       "syscalls", "log every system call of some processes, by eBPF",
                       [&clock, print](const SyscallsFlags& flags) {
                         const auto log = StderrLog(LogLevel::kInfo);
                         return RunSyscalls(flags, {clock, clock.Now(), log, print,
                                                    std::make_shared<bpf::Loader>(log)});
                       }),
                   MakeSubcommand<CheckConfigFlags>(
                       "check-config", "check a configuration file and list its problems",
                       [&clock, print](const CheckConfigFlags& flags) {
                         return RunCheckConfig(flags, clock, print);
                       })},
      .default_command = "serve",
  };
}

}  // namespace limpet
