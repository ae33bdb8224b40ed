// manual_clock.h: a clock that moves only when a test says so.
//
// Threads: one moves it, any may read it.
#pragma once

#include <atomic>

#include "exporter/common/time.h"

namespace limpet::testing {

class ManualClock final : public Clock {
 public:
  explicit ManualClock(UnixTime now = UnixFromSeconds(1'700'000'000)) : now_(now) {}

  [[nodiscard]] UnixTime Now() const override { return now_; }
  [[nodiscard]] SteadyTime Steady() const override { return steady_; }

  // Time passes.
  void Advance(Duration by) {
    now_ = now_.load() + by;
    steady_ = steady_.load() + by;
  }
  // Somebody sets the wall clock; no time passes.
  void StepWall(Duration by) { now_ = now_.load() + by; }

 private:
  std::atomic<UnixTime> now_;
  std::atomic<SteadyTime> steady_{SteadyTime(std::chrono::hours(1))};
};

}  // namespace limpet::testing
