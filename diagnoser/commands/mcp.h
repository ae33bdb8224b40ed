// mcp.h: `mcp`: what a running diagnoser says, for programs that speak the Model Context Protocol
// on standard input and output.
//
// Threads: from main.
#pragma once

#include "diagnoser/commands/running_diagnoser.h"

namespace limpet {

struct McpOptions {
  RunningDiagnoser diagnoser;

  void Bind(Flags& flags) { diagnoser.Bind(flags); }
};

// Runs until standard input ends. The exit code: 0 ok, 1 standard output cannot be written, 2 wrong
// use.
[[nodiscard]] int RunMcp(const McpOptions& options);

}  // namespace limpet
