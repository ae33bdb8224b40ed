// serve.h: the `serve` command: scrapes, diagnoses and publishes until it is told to stop.
//
// Threads: the fetcher's (sockets), the diagnosis', the web server's, the state saver's, and the
// caller's, which waits for signals.
#pragma once

#include <string>
#include <vector>

#include "exporter/common/log.h"
#include "exporter/common/service.h"

namespace limpet {

struct ServeOptions {
  std::string config_file;
  std::string thresholds_file;  // may be empty
  std::string listen_address;
  std::string web_config_file;  // may be empty
  std::string state_folder;     // empty: nothing is kept
  std::string log_level;        // empty: as the configuration says
};

// The exit code: 0 ended by a signal, 1 could not start, 2 wrong configuration.
[[nodiscard]] int Serve(const ServeOptions& options, Signals& signals);

}  // namespace limpet
