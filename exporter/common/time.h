// time.h: instants and durations, and where they come from.
//
// Unix time is an integer count of nanoseconds: a double is good to 2.4e-7 s today, which is
// enough to move a sample into another histogram bin.
// Threads: everything here is a value; a Clock must be safe to read from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace limpet {

using Duration = std::chrono::nanoseconds;
using UnixTime = std::chrono::sys_time<Duration>;  // wall clock, may step
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;  // never steps

constexpr double ToSeconds(Duration d) { return std::chrono::duration<double>(d).count(); }
constexpr UnixTime UnixFromNanoseconds(std::int64_t ns) { return UnixTime(Duration(ns)); }
constexpr UnixTime UnixFromMilliseconds(std::int64_t ms) {
  return UnixTime(std::chrono::milliseconds(ms));
}
constexpr UnixTime UnixFromSeconds(std::int64_t s) { return UnixTime(std::chrono::seconds(s)); }

// Whole seconds since 1970, rounded down (also before 1970).
constexpr std::int64_t WholeSeconds(UnixTime t) {
  return std::chrono::floor<std::chrono::seconds>(t.time_since_epoch()).count();
}

// ISO 8601 in UTC, whole seconds, rounded down: "2026-11-21T05:00:00Z".
[[nodiscard]] std::string IsoTime(UnixTime t);
// Returns the form of HTTP's Date field (RFC 9110 §5.6.7): "Sat, 21 Nov 2026 05:00:00 GMT".
[[nodiscard]] std::string HttpDate(UnixTime t);

// The only source of "now" in the program; tests hand in a ManualClock (tests/support).
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual UnixTime Now() const = 0;
  [[nodiscard]] virtual SteadyTime Steady() const = 0;
};

class RealClock final : public Clock {
 public:
  [[nodiscard]] UnixTime Now() const override {
    return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  }
  [[nodiscard]] SteadyTime Steady() const override {
    return std::chrono::time_point_cast<Duration>(std::chrono::steady_clock::now());
  }
};

}  // namespace limpet
