// settings.h: what the diagnoser's configuration file says, and nothing that follows from it: that
// is the plan (plan.h).
//
// What each key means and its default stand in config/diagnoser.yml. All problems of a file are
// reported at once, each with file, line, key and what was expected.
// Threads: pure, but for the files it reads through `read_file`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/config/custom_metrics.h"
#include "diagnoser/config/probe.h"
#include "diagnoser/config/profiles.h"
#include "diagnoser/config/shard.h"
#include "diagnoser/config/store.h"
#include "diagnoser/config/syscalls.h"
#include "diagnoser/config/targets.h"
#include "diagnoser/config/web_settings.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/evidence/timed_masks.h"
#include "diagnoser/history/settings.h"
#include "diagnoser/incidents/settings.h"
#include "diagnoser/mapping/rules.h"
#include "diagnoser/view/detail.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

// The event log.
struct EventSettings {
  std::string file;  // empty: none; "stderr"
  bool windows = false;
};

struct DiagnoserSettings {
  std::vector<Target> fixed_targets;   // all that the file lists by address
  std::vector<SdSource> discovery;     // lists of more of them, which change while we run
  std::optional<StoreSettings> store;  // source: prometheus; its nodes are the targets then
  Shard shard;
  bool sharded = false;                 // the file says which shard this is, be it the only one
  std::vector<PeerGroupRule> groups;    // empty: they are made of the targets' roles
  std::vector<PresetSettings> presets;  // never empty
  std::vector<Thresholds> thresholds;   // of the thresholds file, those that fit
  std::vector<std::string> notes;       // on names and on their fit, to be told once (trained.h)
  std::map<std::string, std::string> addresses;  // see PipelineConfig
  std::vector<std::string> masked;               // of the configuration alone
  std::vector<TimedMask> timed_masks;            // of the configuration
  std::string masked_file;                       // masks.h; empty: none
  std::vector<std::string> masks_of_file;        // what it said when the configuration was read
  std::optional<Duration>
      fixed_lateness;  // absent: what the longest interval of the targets implies
  DetailOptions publish;
  HistorySettings history;  // for the live page
  EventSettings events;
  std::vector<CustomMetric> custom;  // the file's own metrics, and those of metric_files
  ProfileSettings profiles;
  SyscallSettings syscalls;
  ProbeSettings probe;
  std::optional<Duration> data_step;  // of the recordings that are replayed
  IncidentSettings incidents;
  WebSettings web;
  Duration state_interval = std::chrono::seconds(10);
  LogLevel log_level = LogLevel::kInfo;
};

// What a configuration is read for. Training writes the profile model that other uses read.
enum class ConfigUse { kDiagnose, kTrain };

// `data_step`: between the readings of the recordings that this is for; a preset that nobody chose
// follows it. `file` is the name in messages; an error's text is every problem, one a line.
// `thresholds` stays empty.
[[nodiscard]] Result<DiagnoserSettings> ParseSettings(std::string_view text,
                                                      const std::string& file,
                                                      const ReadTextFile& read_file, ConfigUse use,
                                                      std::optional<Duration> data_step = {});

// The longest time between two scrapes of the same node that `targets` and the settings allow.
[[nodiscard]] Duration LongestInterval(const DiagnoserSettings& settings,
                                       const std::vector<Target>& targets);

}  // namespace limpet
