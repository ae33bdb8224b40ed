// replay.h: the `replay` command: recordings in, events out, a progress line on a terminal.
//
// Threads: from main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

struct ReplayOptions {
  std::string config_file = kDefaultConfigFile;
  std::string thresholds_file;    // may be empty
  std::string output = "-";       // a file, or "-": standard output
  std::string format = "jsonl";   // or "text"
  bool windows = false;           // as text: every window instead of incidents
  std::string progress = "auto";  // or json, none
  std::uint64_t jobs = 0;         // threads; 0: one a core
  std::string from;               // instants; empty: all there is
  std::string to;
  std::vector<std::string> inputs;                // recordings; none with a store
  std::string prometheus;                         // a store's URL; empty: recordings are read
  bool ui = false;                                // serve the live page over the replay
  std::string listen_address = "127.0.0.1:9837";  // with ui
  std::string start;                              // older names of from and to, with a store
  std::string end;
  std::string step;  // with a store; empty: the configuration's

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 an input or the output failed, 2 wrong configuration or use.
[[nodiscard]] int RunReplay(const ReplayOptions& options);

}  // namespace limpet
