// command.h: runs a program and gives what it printed; for curl and openssl in tests.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace limpet::testing {

// Standard output and standard error together.
inline std::string RunCommand(const std::string& command) {
  std::string output;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return "cannot run " + command;
  }
  std::array<char, 4096> bytes{};
  while (const auto got = std::fread(bytes.data(), 1, bytes.size(), pipe)) {
    output.append(bytes.data(), got);
  }
  ::pclose(pipe);
  return output;
}

}  // namespace limpet::testing
