// check_config.h: the `check-config` command: whether a configuration can be used, and a summary.
//
// Threads: from main.
#pragma once

#include <string>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

struct CheckConfigOptions {
  std::string config_file = kDefaultConfigFile;
  std::string thresholds_file;  // may be empty
  std::string web_config_file;  // as for serve; may be empty
  std::string state_folder;     // as for serve; may be empty
  bool ask = false;             // asks each target, or the store, once
  bool resolved = false;        // prints every setting that judges
  bool strict = false;          // warnings are failures

  void Bind(Flags& flags);
};

// Prints targets, peer groups and presets, who is compared with whom, and warnings
// (config/slips.h, config/folder_slips.h, ask_store.h); with `resolved`, every number of the
// presets. Lists of targets in files are read; those behind URLs are not fetched: only a running
// diagnoser does that. The exit code: 0 ok, 1 an entry of a list is refused or, with `strict`,
// there is a warning, 2 the configuration cannot be used.
[[nodiscard]] int RunCheckConfig(const CheckConfigOptions& options);

}  // namespace limpet
