// manual_clock.h: a clock that moves only when a test says so.
#pragma once

#include "exporter/common/time.h"

namespace limpet::testing {

class ManualClock final : public Clock {
 public:
  explicit ManualClock(UnixTime now = UnixFromSeconds(1'700'000'000)) : now_(now) {}

  [[nodiscard]] UnixTime Now() const override { return now_; }
  [[nodiscard]] SteadyTime Steady() const override { return steady_; }

  // Time passes.
  void Advance(Duration by) {
    now_ += by;
    steady_ += by;
  }
  // Somebody sets the wall clock; no time passes.
  void StepWall(Duration by) { now_ += by; }

 private:
  UnixTime now_;
  SteadyTime steady_{std::chrono::hours(1)};
};

}  // namespace limpet::testing
