// config.h: the diagnoser's configuration file as typed settings.
//
// What each key means and its default stand in config/diagnoser.yml. All problems of a file are
// reported at once, each with file, line, key and what was expected.
// Threads: pure, but for the password files it reads through `read_file`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/config/profiles.h"
#include "diagnoser/config/shard.h"
#include "diagnoser/config/store.h"
#include "diagnoser/config/targets.h"
#include "diagnoser/pipeline/config.h"
#include "diagnoser/pipeline/detail.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

struct DiagnoserConfig {
  std::vector<Target> targets;         // that this shard scrapes
  std::vector<Target> fixed_targets;   // all that the file lists by address
  std::vector<SdSource> discovery;     // lists of more of them, which change while we run
  std::optional<StoreSettings> store;  // source: prometheus; its nodes are the targets then
  Shard shard;
  std::vector<PeerGroupRule> all_groups;  // of all shards
  bool default_groups = false;            // made of the roles; none are in the file
  bool default_lateness = false;
  PipelineConfig pipeline;          // its masks are those of `masked` and of the file; its groups
                                    // those of this shard
  std::vector<std::string> masked;  // of the configuration alone
  std::string masked_file;          // masks.h; empty: none
  // How long readings may take to reach us: a window is closed without those that take longer.
  Duration lateness = std::chrono::seconds(2);
  DetailOptions publish;
  struct {
    std::string file;  // empty: none; "stderr"
    bool windows = false;
  } events;
  // Of behaviour profiles, also when there is no model yet; pipeline.profiles has what is in use.
  ProfileSettings profiles;
  Duration state_interval = std::chrono::seconds(10);
  LogLevel log_level = LogLevel::kInfo;
  std::vector<std::string> notes;  // on the thresholds' fit, to be told once (config/trained.h)
};

// What follows from who the targets are: default groups of their roles (none is taken away again),
// this shard's part of both, the default lateness.
[[nodiscard]] DiagnoserConfig WithTargets(DiagnoserConfig config, std::vector<Target> targets);

// What a configuration is read for. Training writes the profile model that other uses read.
enum class ConfigUse { kDiagnose, kTrain };

// `file` is the name in messages; an error's text is every problem, one a line.
[[nodiscard]] Result<DiagnoserConfig> ParseDiagnoserConfig(std::string_view text,
                                                           const std::string& file,
                                                           const ReadTextFile& read_file,
                                                           ConfigUse use = ConfigUse::kDiagnose);

// Reads the files with the real file system; `thresholds` may be empty.
[[nodiscard]] Result<DiagnoserConfig> LoadDiagnoserConfig(const std::string& file,
                                                          const std::string& thresholds,
                                                          ConfigUse use = ConfigUse::kDiagnose);

}  // namespace limpet
