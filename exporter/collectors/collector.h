// collector.h: the contract of everything that turns kernel data into metrics.
//
// To add one: docs/recipes/collector.md.
//
// * Collect is called once a tick (1 s) by one thread at a time, never two at once for one object.
// * It returns every family it has this time; what it does not know it leaves out. A counter that
//   fell or a device that is new gives no gauge this once, never a spike.
// * An error means "nothing this time": the page shows limpet_scrape_collector_success 0 and the
//   other collectors go on. Anything a collector can still read it returns instead of failing.
// * What its page must not be without and could not be read it names in Incomplete: success 0 and a
//   line in the log, while the rest is shown. A file that is not there on every kernel is no such
//   thing.
// * It may block (a hung device): the sampler gives up waiting, the collector is skipped until the
//   call returns. So a collector shares nothing mutable with the rest of the program.
#pragma once

#include <optional>
#include <string_view>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

struct Tick {
  UnixTime at;        // wall time of this sample, for timestamps
  SteadyTime steady;  // monotonic time of the same instant, for rates
};

class Collector {
 public:
  virtual ~Collector() = default;
  // The value of the `collector` label: "disk".
  [[nodiscard]] virtual std::string_view Name() const = 0;
  [[nodiscard]] virtual Result<Families> Collect(const Tick& tick) = 0;
  // Returns what the last Collect that returned families could not read.
  [[nodiscard]] virtual std::optional<Error> Incomplete() const { return std::nullopt; }
  // Called after a reload, before the first Collect: `before` is the collector of the same name
  // that this one replaces and that never collects again. Whatever counters since the start are
  // made of moves over, so that none of them falls while the program's start time stays. Quick, no
  // files.
  virtual void Inherit(Collector& /*before*/) {}
};

}  // namespace limpet
