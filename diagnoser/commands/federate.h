// federate.h: the `federate` command: the live page above several diagnosers, until it is told to
// stop.
//
// Threads: the fetcher's, the web server's, and the caller's, which waits for signals.
#pragma once

#include "diagnoser/commands/federate_options.h"
#include "exporter/common/service.h"

namespace limpet {

// The exit code: 0 ended by a signal, 1 could not start, 2 wrong configuration.
[[nodiscard]] int Federate(const FederateOptions& options, Signals& signals);

}  // namespace limpet
