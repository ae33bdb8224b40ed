// host.h: processor, load, paging and memory of the host as metrics, among them all of Ganesha's 14
// (catalog/host.h says which is which; [Pan08 Table 1]).
//
// Missing: a file that cannot be read leaves its metrics out; an error only when none can.
// Threads: as collector.h says.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"
#include "exporter/kernel/keyed_lines.h"
#include "exporter/kernel/proc_stat.h"

namespace limpet {

class HostCollector final : public Collector {
 public:
  // `proc` is rooted at /proc; ticks_per_second is sysconf(_SC_CLK_TCK).
  HostCollector(std::unique_ptr<FileReader> proc, double ticks_per_second);

  [[nodiscard]] std::string_view Name() const override { return "host"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  std::unique_ptr<FileReader> proc_;
  double ticks_per_second_;
  std::array<LabelsPtr, kCpuModes.size()> modes_;  // {mode}
  KeyedLines vmstat_;
  KeyedLines meminfo_;
};

extern const CollectorModule kHostCollector;

}  // namespace limpet
