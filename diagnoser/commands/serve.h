// serve.h: the `serve` command: scrapes, diagnoses and publishes until it is told to stop.
//
// Threads: the fetcher's (sockets), the diagnosis', the web server's, the state saver's, and the
// caller's, which waits for signals.
#pragma once

#include "diagnoser/commands/serve_options.h"
#include "exporter/common/service.h"

namespace limpet {

// The exit code: 0 ended by a signal, 1 could not start, 2 wrong configuration.
[[nodiscard]] int Serve(const ServeOptions& options, Signals& signals);

}  // namespace limpet
