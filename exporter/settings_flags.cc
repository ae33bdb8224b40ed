#include "exporter/settings_flags.h"

#include <limits>

#include "exporter/common/regular_file.h"

namespace limpet {
namespace {

void BindNodeExporterNames(Flags& flags, bool& on) {
  flags.Add(on, "--compat.node-exporter-names",
            "use the prefix node_ and node_exporter's names, for hosts that do not run it");
}

// The form of recordings, how long they are kept and what a power cut may do to them, for whoever
// writes them.
void BindRecordings(Flags& flags, SettingsFlags& settings, const char* days, const char* bytes) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  flags.AddNumber(settings.keep_days, "--record.keep-days", "DAYS",
                  "delete recordings that are older; 0: keep all", 0, 100'000, days);
  flags.AddNumber(settings.max_bytes, "--record.max-bytes", "BYTES",
                  "delete the oldest recordings above so much together, at least 1000000; 0: no "
                  "limit",
                  0, kMost, bytes);
  flags.AddChoice(settings.record_format, "--record.format", {"text", "columns"},
                  "columns, or text for any tool in five times the space", "columns");
  flags.AddChoice(settings.fsync, "--record.fsync", {"true", "false"},
                  "whether a power cut loses at most the last minute", "true");
}

template <class T>
void Override(T& setting, const std::optional<std::string>& flag) {
  if (flag) {
    setting = *flag;
  }
}

Result<void> OverrideRecording(RecordOptions& record, const SettingsFlags& flags) {
  Override(record.dir, flags.record_dir);
  if (flags.keep_days) {
    record.keep_days = flags.keep_days;
  }
  if (flags.max_bytes) {
    if (*flags.max_bytes != 0 && *flags.max_bytes < kMinRecordingBytes) {
      return Error{ErrorCode::kInvalid, "expected 0 (no limit) or at least 1000000",
                   "--record.max-bytes"};
    }
    record.max_bytes = flags.max_bytes;
  }
  if (flags.record_format) {
    record.format = *flags.record_format == "text" ? RecordingForm::kText : RecordingForm::kColumns;
  }
  if (flags.fsync) {
    record.fsync = *flags.fsync == "true";
  }
  return {};
}

Result<Settings> ReadSettings(const std::string& path) {
  if (path.empty()) {
    return ParseSettings("", "");  // the defaults
  }
  const auto text = ReadRegularFile(path);
  if (!text) {
    return Error{text.error().code, text.error().message + "; --config names a file to read", path};
  }
  return ParseSettings(*text, path);
}

}  // namespace

void SettingsFlags::Bind(Flags& flags) {
  flags.Add(config_file, "--config", "FILE", "YAML file with settings; see config/exporter.yml");
  flags.Add(procfs, "--path.procfs", "DIR", "where /proc is mounted", "/proc");
  flags.Add(sysfs, "--path.sysfs", "DIR", "where /sys is mounted", "/sys");
  flags.AddChoice(log_level, "--log.level", {"debug", "info", "warning", "error"},
                  "how much to log on standard error", "info");
}

// Each subcommand takes the flags that mean something to it; another is refused, not ignored.
void ServeFlags::Bind(Flags& flags) {
  SettingsFlags::Bind(flags);
  flags.Add(listen_address, "--web.listen-address", "ADDRESS",
            "address to listen on, such as :9836 or 127.0.0.1:0", ":9836");
  flags.Add(web_config_file, "--web.config.file", "FILE",
            "TLS and passwords; see config/web-config.yml");
  flags.AddChoice(seccomp, "--seccomp", {"deny", "kill", "off"},
                  "what to do about system calls that serve does not need; kill is for tests");
  flags.Add(record_dir, "--record.dir", "DIR", "also record, into this folder");
  BindRecordings(flags, *this, "30", "5000000000");
  BindNodeExporterNames(flags, node_exporter_names);
}

void OnceFlags::Bind(Flags& flags) {
  SettingsFlags::Bind(flags);
  BindNodeExporterNames(flags, node_exporter_names);
}

void RecordFlags::Bind(Flags& flags) {
  SettingsFlags::Bind(flags);
  flags.Add(output_dir, "--output-dir", "DIR", "folder to write the recordings to");
  BindRecordings(flags, *this, "0", "0");
}

void CheckConfigFlags::Bind(Flags& flags) {
  flags.Add(config_file, "--config", "FILE", "YAML file to check");
}

Result<Settings> LoadSettings(const SettingsFlags& flags) {
  auto settings = ReadSettings(flags.config_file);
  if (!settings) {
    return settings;
  }
  Override(settings->web_config_file, flags.web_config_file);
  Override(settings->procfs, flags.procfs);
  Override(settings->sysfs, flags.sysfs);
  Override(settings->record.output_dir, flags.output_dir);
  if (auto done = OverrideRecording(settings->record, flags); !done) {
    return done.error();
  }
  if (flags.listen_address) {
    settings->listen_addresses = {*flags.listen_address};
  }
  // A switch can only be turned on: a file that asks for these names keeps them.
  settings->node_exporter_names = settings->node_exporter_names || flags.node_exporter_names;
  if (flags.log_level) {
    settings->log_level = *ParseLogLevel(*flags.log_level);  // the flag takes no other words
  }
  return settings;
}

}  // namespace limpet
