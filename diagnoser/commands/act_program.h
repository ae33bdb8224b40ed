// act_program.h: one program with a text on its standard input: no shell, a time limit, and of what
// it prints only so much that nobody's memory fills.
//
// It gets a session and a process group of its own, which are killed when the time is up or it has
// ended, with all that it started and did not daemonise; the service's unit bounds the rest.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

struct ProgramResult {
  bool ok = false;   // ended with 0
  std::string text;  // why not, or nothing, and the end of what it printed
};

inline constexpr std::size_t kKeptOutput = 4096;

// `command`: the program's absolute path and its arguments.
[[nodiscard]] ProgramResult RunActProgram(const std::vector<std::string>& command,
                                          const std::string& input, Duration timeout);

}  // namespace limpet
