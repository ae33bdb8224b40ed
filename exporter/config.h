// config.h: everything that can be set about the exporter, with defaults and units.
//
// The file is config/exporter.yml, where every key is explained; a key that is absent has the
// default below, an unknown or wrong one is a problem: "exporter.yml:12: sampling.interval:
// expected a duration such as 1s, got \"fast\"". All problems are told, one a line.
// Flags come over it in settings_flags.h.
// Threads: values; pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/all.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/probe/prober.h"
#include "exporter/record/recorder.h"

namespace limpet {

struct Settings {
  Duration interval = std::chrono::seconds(1);  // between two samples
  bool follow_scrapes = true;                   // whether samples nobody waits for are left out
  std::vector<ChosenCollector> collectors;      // that are switched on, as ParseSettings chose them
  std::string procfs = "/proc";
  std::string sysfs = "/sys";
  std::string devfs = "/dev";  // for probes alone
  std::vector<std::string> listen_addresses = {":9836"};
  std::string web_config_file;  // TLS and passwords; empty: plain HTTP
  LogLevel log_level = LogLevel::kInfo;
  bool node_exporter_names = false;
  RecordOptions record;
  ProbeOptions probe;
  std::string text;  // of the file, to see whether a reload changes anything
};

// `file` is the name used in messages.
[[nodiscard]] Result<Settings> ParseSettings(std::string_view text, const std::string& file);

}  // namespace limpet
