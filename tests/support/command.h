// command.h: runs another program (promtool, zstd, gzip) and keeps what it says.
#pragma once

#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <string>

namespace limpet::testing {

struct CommandResult {
  int status = -1;     // exit status; 127: the shell found no such program (scripts/setup)
  std::string output;  // standard output and error
};

// `command` is for the shell.
inline CommandResult RunCommand(const std::string& command) {
  CommandResult result;
  FILE* pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return result;
  }
  std::array<char, 4096> buffer{};
  while (const auto count = ::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace limpet::testing
