// cases.h: the `cases` command: incidents that people have answered, as the site's own test of a
// configuration.
//
// Threads: from main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

struct CasesOptions {
  std::string state_folder;
  std::string config_file = kDefaultConfigFile;  // what the recordings are judged by
  std::string thresholds_file;                   // may be empty
  std::uint64_t jobs = 0;                        // threads; 0: one a core
  std::vector<std::string> inputs;  // recordings and kept cases; none: the cases are listed
  std::string output;               // where cases are kept, not judged; may be empty

  void Bind(Flags& flags);
};

// The exit code: 0 ok, also when a case is judged otherwise than people did; 1 an input failed, 2
// wrong configuration or use.
[[nodiscard]] int RunCases(const CasesOptions& options);

}  // namespace limpet
