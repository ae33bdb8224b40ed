// log.h: one line a message on standard error, and a brake for lines that would repeat each second.
//
// Format:  "2026-01-31T10:00:00.123Z warning: text" (journald adds its own time; --log.level sets
//          the least severity that is printed).
// Threads: all functions may be called from any thread.
#pragma once

#include <cstddef>
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

// The place where messages go: passed in, so that tests can look at them.
using LogSink = std::function<void(LogLevel, std::string_view)>;

// Standard error through spdlog, at `least` and above.
[[nodiscard]] LogSink StderrLog(LogLevel least);

// The same for a service, which must not stand still when nobody reads its log (a log driver that
// hangs, a terminal that is stopped): a line for which there is no room is left out, and the next
// one says how many were. Lines are clipped to what a pipe takes at once.
[[nodiscard]] LogSink ServiceLog(LogLevel least, int descriptor = 2);

// Lets a message with the same key through once per `interval`, and says how many it held back.
// At most kMaxKeys of them, whatever happens to a cluster at once; what has other keys is held back
// and counted, too.
class RateLimitedLog {
 public:
  static constexpr std::size_t kMaxKeys = 4096;

  RateLimitedLog(LogSink sink, const Clock& clock, Duration interval)
      : sink_(std::move(sink)), clock_(clock), interval_(interval) {}

  void Write(LogLevel level, std::string_view key, std::string_view text);

 private:
  struct Entry {
    SteadyTime next;
    std::uint64_t held_back = 0;
  };

  // Forgets keys whose interval is over.
  void MakeRoom(SteadyTime now);

  LogSink sink_;
  const Clock& clock_;
  Duration interval_;
  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::uint64_t others_held_back_ = 0;  // for want of room among the keys
  SteadyTime room_at_;                  // none before
};

}  // namespace limpet
