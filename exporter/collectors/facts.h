// facts.h: what may explain a slow server, read once a minute (facts/table.h has the list).
//
// Facts indict nobody: they stand beside a verdict of the diagnoser.
// Hanging: a reading runs on a thread of its own. If it takes longer than `patience`, it is left
//          behind, what it was about to read is skipped until it comes back
//          (limpet_facts_unreadable says what), and the next reading begins at once; after
//          kMaxHanging of them only those that are known are shown.
// Threads: as collector.h says.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/facts/reading.h"
#include "exporter/collectors/module.h"
#include "exporter/common/abandoned.h"

namespace limpet {

struct FactsOptions {
  DeviceFilterOptions devices;  // disks; interfaces are all but lo
  Duration refresh = std::chrono::minutes(1);
  Duration patience = std::chrono::seconds(5);
  // Files are looked for, and settings read, with every so many-th reading.
  std::size_t settings_every = 5;
  // Returns how long the first page waits for the first reading, so that `limpet-exporter once` has
  // it.
  Duration first_wait = std::chrono::milliseconds(200);
};

class FactsCollector final : public Collector {
 public:
  // `open` makes the readers of one reading, with the units to skip.
  using Open = std::function<FactSources(std::set<std::string, std::less<>> skipped)>;

  FactsCollector(const FactsOptions& options, Open open, LogSink log);

  [[nodiscard]] std::string_view Name() const override { return "facts"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;
  // Takes over the devices that hang, which would hang again.
  void Inherit(Collector& before) override;

 private:
  void StartIfDue(const Tick& tick);
  void LeaveIfLate(const Tick& tick);
  // Logs files that the reading before could read.
  void LogUnread(const FactReading& reading) const;
  [[nodiscard]] Families Render(const FactReading& reading) const;

  FactsOptions options_;
  Open open_;
  LogSink log_;
  AbandonableWork<FactReading> work_;
  std::optional<SteadyTime> started_;
  std::optional<SteadyTime> next_;    // nullopt: at once
  Duration first_wait_;               // what is left of it
  std::size_t with_same_plan_ = 0;    // readings
  std::vector<std::string> hanging_;  // paths
  FactReading reading_;
  Families families_;  // kept, shown until the next reading
};

extern const CollectorModule kFactsCollector;

}  // namespace limpet
