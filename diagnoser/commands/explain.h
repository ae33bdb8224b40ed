// explain.h: the `explain` command: one node's verdict in plain words, of a running diagnoser or of
// recordings; or its incidents in a history.
//
// Threads: from main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"
#include "diagnoser/commands/running_diagnoser.h"

namespace limpet {

struct ExplainOptions {
  RunningDiagnoser diagnoser;
  std::string config_file = kDefaultConfigFile;  // these two with recordings only
  std::string thresholds_file;
  std::uint64_t jobs = 0;           // threads; 0: one a core
  std::vector<std::string> inputs;  // the node, then recordings; none of these: ask `diagnoser`
  std::string state_folder;         // not empty: the history in it, from `from` to `to`
  std::string from;
  std::string to;

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 nobody answers, no target is called so or an input failed, 2 wrong
// configuration or use.
[[nodiscard]] int RunExplain(const ExplainOptions& options);

}  // namespace limpet
