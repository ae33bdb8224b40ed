// serve_options.h: the flags of `serve`.
//
// Threads: from main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

// A daemon leaves a large machine to others: it only computes where a window ends.
inline constexpr std::size_t kMostHelpers = 3;

struct ServeOptions {
  std::string config_file = kDefaultConfigFile;
  std::string thresholds_file;  // may be empty
  std::string listen_address = ":9837";
  std::string web_ui = "true";   // or "false"
  std::string web_config_file;   // may be empty
  std::string state_folder;      // empty: nothing is kept
  std::string log_level;         // empty: as the configuration says
  std::uint64_t jobs = 0;        // threads that judge; 0: one a core, four at most
  std::string seccomp = "deny";  // ParseSandboxMode

  void Bind(Flags& flags);
};

}  // namespace limpet
