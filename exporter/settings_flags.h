// settings_flags.h: the flags of limpet-exporter, and the settings they make with the file.
//
// Threads: values; LoadSettings reads a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "exporter/common/command_line.h"
#include "exporter/common/result.h"
#include "exporter/config.h"

namespace limpet {

// The settings that a command line says; absent: as the file says. Which of them a subcommand takes
// is the matter of its Bind.
struct SettingsFlags {
  std::string config_file;  // empty: no file, the defaults
  std::optional<std::string> procfs;
  std::optional<std::string> sysfs;
  std::optional<std::string> log_level;
  std::optional<std::string> listen_address;
  std::optional<std::string> web_config_file;
  std::optional<std::string> output_dir;
  std::optional<std::string> record_dir;
  std::optional<std::uint64_t> keep_days;
  std::optional<std::uint64_t> max_bytes;
  std::optional<std::string> fsync;          // "true" or "false"
  std::optional<std::string> record_format;  // "text" or "columns"
  bool node_exporter_names = false;
  std::string seccomp = "deny";  // ParseSandboxMode

  // Those that every subcommand with settings takes.
  void Bind(Flags& flags);
};

struct ServeFlags : SettingsFlags {
  void Bind(Flags& flags);
};

struct OnceFlags : SettingsFlags {
  void Bind(Flags& flags);
};

struct RecordFlags : SettingsFlags {
  void Bind(Flags& flags);
};

struct CheckConfigFlags : SettingsFlags {
  void Bind(Flags& flags);
};

// The file named by --config, if any, and the other flags over it. kInvalid when something in them
// is wrong, the file's own error when it cannot be read.
[[nodiscard]] Result<Settings> LoadSettings(const SettingsFlags& flags);

}  // namespace limpet
