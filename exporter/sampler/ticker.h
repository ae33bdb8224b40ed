// ticker.h: waits for the instants of schedule.h.
//
// Threads: Next is called by one thread at a time, Stop by any.
#pragma once

#include <memory>
#include <optional>

#include "exporter/collectors/collector.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/sampler/demand.h"

namespace limpet {

class Ticker {
 public:
  virtual ~Ticker() = default;
  // Sleeps until the next tick; nullopt after Stop, at once.
  [[nodiscard]] virtual std::optional<Tick> Next() = 0;
  virtual void Stop() = 0;
  // Returns how much later than it could have been the last tick was on purpose.
  [[nodiscard]] virtual Duration LeftOut() const { return {}; }
};

// A timerfd on the wall clock that notices when the clock is set and looks for its tick anew.
// `clock` must outlive it and be the real one, as far as waking up is concerned. With a `demand` it
// ticks when that wants a sample.
[[nodiscard]] Result<std::unique_ptr<Ticker>> OpenRealTicker(
    const Clock& clock, Duration interval, std::shared_ptr<Demand> demand = nullptr);

}  // namespace limpet
