// log.h: one line a message on standard error, and a brake for lines that would repeat each second.
//
// Format:  "2026-01-31T10:00:00.123Z warning: text" (journald adds its own time; --log.level sets
//          the least severity that is printed).
// Threads: all functions may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// "debug", "info", "warning" (or "warn"), "error".
[[nodiscard]] std::optional<LogLevel> ParseLogLevel(std::string_view text);

// Where messages go: passed in, so that tests can look at them.
using LogSink = std::function<void(LogLevel, std::string_view)>;

// Standard error through spdlog, at `least` and above.
[[nodiscard]] LogSink StderrLog(LogLevel least);

// Lets a message with the same key through once per `interval`, and says how many it held back.
class RateLimitedLog {
 public:
  RateLimitedLog(LogSink sink, const Clock& clock, Duration interval)
      : sink_(std::move(sink)), clock_(clock), interval_(interval) {}

  void Write(LogLevel level, std::string_view key, std::string_view text);

 private:
  struct Entry {
    SteadyTime next;
    std::uint64_t held_back = 0;
  };

  LogSink sink_;
  const Clock& clock_;
  Duration interval_;
  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace limpet
