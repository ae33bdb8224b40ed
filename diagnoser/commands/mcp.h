// mcp.h: `mcp`: what a running diagnoser says, for programs that speak the Model Context Protocol
// on standard input and output; with recordings, what a replay says of them, too.
//
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"
#include "diagnoser/commands/running_diagnoser.h"

namespace limpet {

struct McpOptions {
  RunningDiagnoser diagnoser;
  std::string config_file = kDefaultConfigFile;  // of a replay
  std::vector<std::string> inputs;               // recordings; none: nothing is replayed

  void Bind(Flags& flags);
};

// Runs until standard input ends. The exit code: 0 ok, 1 standard output cannot be written, 2 wrong
// use.
[[nodiscard]] int RunMcp(const McpOptions& options);

}  // namespace limpet
