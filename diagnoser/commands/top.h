// top.h: the `top` command: the anomalies that last [Kasick12 Fig. 5], of a running diagnoser or
// of recordings; or the servers of a history that were longest in incidents.
//
// Threads: from main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"
#include "diagnoser/commands/running_diagnoser.h"

namespace limpet {

struct TopOptions {
  RunningDiagnoser diagnoser;
  std::string config_file = kDefaultConfigFile;  // these two with inputs only
  std::string thresholds_file;
  std::string metric;        // empty: each
  std::uint64_t limit = 20;  // components of each preset and metric
  bool json = false;
  bool hourly = false;              // with inputs: the hourly list alone
  std::uint64_t jobs = 0;           // threads; 0: one a core
  std::string progress = "auto";    // or json, none
  std::vector<std::string> inputs;  // recordings; none: ask `url`
  std::string state_folder;         // not empty: the history in it, from `from` to `to`
  std::string from;
  std::string to;

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 nobody answers or an input failed, 2 wrong configuration or use.
[[nodiscard]] int RunTop(const TopOptions& options);

}  // namespace limpet
