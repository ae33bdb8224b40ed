// demand.h: at which instants a sample is wanted, by when pages were asked for before.
//
// A page that is asked for every 15 s needs a sample every 15 s, not fifteen. Whoever asks at
// regular times is expected then, and samples are taken at that instant of the schedule
// (schedule.h) and the two beside it; between them every 5 s.
// Doubt:   for 150 instants after the start, and after whoever was not expected and got a page that
//          was older than two of them, each instant is wanted: one page a change is a little old.
// Bound:   256 instants are remembered. Periods of more than 120 are not recognised.
// Threads: all functions may be called from any thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "exporter/common/time.h"

namespace limpet {

class Demand {
 public:
  // `interval` is positive.
  explicit Demand(Duration interval) : interval_(interval) {}

  // A page was asked for; what it showed was sampled at `sampled`.
  void Asked(UnixTime now, UnixTime sampled);
  // Returns the first instant after `now` at which a sample is wanted.
  [[nodiscard]] UnixTime Next(UnixTime now);
  // Begins anew with another interval.
  void Restart(Duration interval);

 private:
  static constexpr std::int64_t kRemembered = 256;

  [[nodiscard]] bool HasAsked(std::int64_t instant) const;
  [[nodiscard]] bool IsExpected(std::int64_t instant) const;
  void MoveTo(std::int64_t instant);

  mutable std::mutex mutex_;  // of what follows
  Duration interval_;
  std::bitset<kRemembered> asked_;   // in the instant latest_ - i
  std::int64_t latest_ = INT64_MIN;  // number since 1970; the least: none
  std::int64_t doubt_until_ = INT64_MIN;
};

}  // namespace limpet
