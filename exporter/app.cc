#include "exporter/app.h"

#include <utility>
#include <vector>

#include "exporter/commands.h"
#include "exporter/config.h"

namespace limpet {
namespace {

std::vector<Flag> With(std::vector<Flag> flags, std::vector<Flag> more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

}  // namespace

Program ExporterProgram() {
  const Flag node_names{"--compat.node-exporter-names", "",
                        "use the prefix node_ and node_exporter's names, for hosts without it", ""};
  const std::vector<Flag> serve = {
      {"--web.listen-address", "ADDRESS", "where to listen, such as :9836 or 127.0.0.1:0", ":9836"},
      {"--web.config.file", "FILE", "TLS and passwords; see config/web-config.yml", ""},
      node_names,
  };
  const Flag config{"--config", "FILE", "YAML file to check", ""};
  return {
      .name = "limpet-exporter",
      .description =
          "Samples disks, network and TCP connections once a second for Prometheus "
          "and limpet-diagnoser",
      .commands = {{"serve", "answer scrapes (the default)", With(SettingsFlags(), serve), ""},
                   {"once", "print one sample and end", With(SettingsFlags(), {node_names}), ""},
                   {"record", "write daily recordings",
                    With(SettingsFlags(), {{"--output-dir", "DIR", "folder for the files", ""}}),
                    ""},
                   {"check-config", "say what is wrong with a configuration file", {config}, ""}},
      .default_command = "serve",
  };
}

int RunExporter(const CommandLine& line, const Clock& clock,
                const std::function<void(std::string_view)>& print) {
  // How much to log is a setting, too, and not read yet.
  const auto early_log = StderrLog(LogLevel::kInfo);
  if (line.command == "check-config" && line.Value("--config").empty()) {
    early_log(LogLevel::kError, "--config: expected a file to check");
    return kExitUsage;
  }
  // Before anything is opened: wrong settings end the program with 2, whatever the command is.
  auto settings = LoadSettings(line);
  if (!settings) {
    early_log(LogLevel::kError, settings.error().Text());
    return kExitUsage;
  }
  // LoadSettings has done the checking: whoever comes here has a file without a mistake.
  if (line.command == "check-config") {
    print(line.Value("--config") + ": no problems found\n");
    return kExitOk;
  }
  const World world{clock, clock.Now(), StderrLog(settings->log_level), print};
  if (line.command == "once") {
    return RunOnce(*settings, world);
  }
  if (line.command == "record") {
    return RunRecord(*settings, world);
  }
  return RunServe(line, *std::move(settings), world);
}

}  // namespace limpet
