// report.h: the `report` command: recordings, or the past of a store, as one HTML file for people.
//
// Threads: from main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

struct ReportOptions {
  std::string config_file = kDefaultConfigFile;
  std::string thresholds_file;  // may be empty
  std::string output;           // required
  std::string from;             // instants; empty: all there is
  std::string to;
  std::string prometheus;         // a store's URL; empty: recordings are read
  std::string state_folder;       // of a diagnoser: its history instead; empty: none
  std::string step;               // with a store; empty: the configuration's
  std::string progress = "auto";  // or json, none
  std::uint64_t jobs = 0;         // threads; 0: one a core
  std::vector<std::string> inputs;

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 an input or the output failed, 2 wrong configuration or use.
[[nodiscard]] int RunReport(const ReportOptions& options);

}  // namespace limpet
