// service.h: what a long-running program does as a process: signals, systemd, descriptors.
//
// Threads: make Signals in main before any thread is started (they inherit the blocked signals);
// everything else from any thread.
#pragma once

#include <optional>
#include <string>

#include "exporter/common/time.h"

namespace limpet {

enum class Wake {
  kStop,    // SIGTERM or SIGINT: end cleanly
  kReload,  // SIGHUP: read the configuration again
};

// Takes SIGTERM, SIGINT and SIGHUP out of the ordinary way for as long as it lives, so that they
// are waited for instead of interrupting whatever runs. SIGPIPE is ignored for good.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // nullopt when none has come within `longest`.
  [[nodiscard]] std::optional<Wake> Wait(Duration longest);
};

// Tells systemd ("READY=1", "RELOADING=1", "STOPPING=1", "STATUS=text", lines joined by newlines);
// does nothing when it did not start us.
void NotifySystemd(const std::string& state);

// Returns how often systemd wants to hear "WATCHDOG=1" (WatchdogSec=), from the environment;
// nullopt: not at all.
[[nodiscard]] std::optional<Duration> WatchdogInterval();

// Allows as many descriptors as the hard limit does; returns how many that is.
std::size_t RaiseFileLimit();

}  // namespace limpet
