// sampler.h: runs the collectors at every tick and hands out one snapshot of it all.
//
// Who waits for what: a runner thread sleeps until the tick, runs the collectors in their order and
// publishes; nobody else wakes up, so a quiet second costs one wake-up. A supervisor sleeps on a
// timer that goes off only when one collector takes longer than `patience`: then that runner is
// left behind with its collector, and a fresh one goes on with the rest.
// Hanging: such a collector shows success 0 and is skipped until its call returns (its late result
//          is thrown away), so there is never more than one thread a collector left behind.
// Failing: an error or an exception is success 0 and a log line, at most one a minute a collector.
// Reload:  a new sampler takes the place of the old one and goes on with what its collectors know,
//          so that no counter falls.
// Threads: one owner. Publish and Extra are called from a runner, one at a time, and must be quick;
//          neither is called after Stop.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/common/exposition/writer.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/sampler/snapshot.h"
#include "exporter/sampler/ticker.h"

namespace limpet {

struct SamplerOptions {
  Duration interval = std::chrono::seconds(1);
  // Returns how long one collector may take before it is left behind.
  Duration patience = std::chrono::milliseconds(500);
  RenderOptions pages;  // of the snapshots
};

class Sampler {
 public:
  using Publish = std::function<void(SnapshotPtr)>;
  using Extra = std::function<Families()>;  // goes onto each page behind the collectors' families

  // Everything that can fail; nothing runs yet. `clock` must outlive the sampler and every
  // collector that hangs; so must what `log` refers to.
  [[nodiscard]] static Result<std::unique_ptr<Sampler>> Make(
      const SamplerOptions& options, std::vector<std::unique_ptr<Collector>> collectors,
      std::unique_ptr<Ticker> ticker, const Clock& clock, const LogSink& log, Publish publish,
      Extra extra = {});
  // Stops.
  virtual ~Sampler() = default;

  // Once. `before`, if any, is stopped first and handed its collectors' knowledge over; it comes
  // from Make as well.
  virtual void Start(Sampler* before = nullptr) = 0;

  // Waits for a collector that is at work, but not for one that hangs. A second call does nothing.
  virtual void Stop() = 0;
};

}  // namespace limpet
