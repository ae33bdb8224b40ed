// check_command.cc: the command that tries a configuration file without using it.

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "exporter/commands.h"
#include "exporter/common/web/address.h"
#include "exporter/web_settings.h"

namespace limpet {
namespace {

// Whatever `serve` would refuse at its start; nullopt: nothing.
std::optional<Error> FindRefusal(const Settings& settings, const Clock& clock) {
  for (const auto& address : settings.listen_addresses) {
    if (const auto parsed = web::ParseListenAddress(address); !parsed) {
      return parsed.error();
    }
  }
  // A file that is not here may lie on the servers; but for a probe it has to be right.
  const auto& web_file = settings.web_config_file;
  std::error_code ignored;
  if (!web_file.empty() && (settings.probe.enabled || std::filesystem::exists(web_file, ignored))) {
    if (const auto web = LoadWeb(settings); !web) {
      return web.error();
    }
  }
  // Collectors are made and never asked; without a loader none puts programs into the kernel.
  const World world{clock, clock.Now(), [](LogLevel, std::string_view) {}, nullptr};
  if (const auto sampler = MakeSampler(settings, world, [](const SnapshotPtr&) {});
      !sampler && sampler.error().code == ErrorCode::kInvalid) {
    return sampler.error();
  }
  return std::nullopt;
}

// What may be right on another machine, or be made before the service starts.
std::vector<std::string> FindMissing(const Settings& settings) {
  std::vector<std::string> texts;
  std::error_code ignored;
  const auto& web = settings.web_config_file;
  if (!web.empty() && !std::filesystem::exists(web, ignored)) {
    texts.push_back("web.config_file: there is no file " + web + ": serve does not start without");
  }
  if (web.empty() && settings.probe.enabled) {
    texts.emplace_back(
        "probe.enabled: serve wants a web.config_file with passwords or client "
        "certificates, or the flag --web.config.file");
  }
  const std::pair<const char*, std::string> folders[] = {
      {"record.dir", settings.record.dir}, {"record.output_dir", settings.record.output_dir}};
  for (const auto& [key, folder] : folders) {
    const auto above = std::filesystem::path(folder).parent_path();
    if (!folder.empty() && !above.empty() && !std::filesystem::is_directory(above, ignored)) {
      texts.push_back(std::string(key) + ": there is no folder " + above.string() + " for " +
                      folder + ": nothing would be recorded");
    }
  }
  return texts;
}

}  // namespace

int RunCheckConfig(const CheckConfigFlags& flags, const Clock& clock,
                   const std::function<void(std::string_view)>& print) {
  if (flags.config_file.empty()) {
    return Refuse("--config: expected a file to check");
  }
  const auto settings = LoadSettings(flags);
  if (!settings) {
    return Refuse(settings.error().Text());
  }
  if (const auto refusal = FindRefusal(*settings, clock)) {
    return Refuse(refusal->Text());
  }
  const auto missing = FindMissing(*settings);
  for (const auto& one : missing) {
    print("warning: " + one + "\n");
  }
  print(flags.config_file + (missing.empty() ? ": no problems found\n" : ": can be used\n"));
  return kExitOk;
}

}  // namespace limpet
