// host.h: processor, load, paging and memory of the host as metrics, among them all of Ganesha's 14
// (catalog/host.h says which is which; [Pan08 Table 1]).
//
// Missing: a file that cannot be read leaves its metrics out; an error only when none can. It is
//          incomplete without processors, and without a file that is there and cannot be read.
// Falls:   the kernel's idle and iowait time step back now and then; processor time never does here
//          (kernel/never_falls.h).
// Threads: as collector.h says.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"
#include "exporter/kernel/keyed_lines.h"
#include "exporter/kernel/never_falls.h"
#include "exporter/kernel/proc_stat.h"

namespace limpet {

class HostCollector final : public Collector {
 public:
  // `proc` is rooted at /proc; ticks_per_second is sysconf(_SC_CLK_TCK).
  HostCollector(std::unique_ptr<FileReader> proc, double ticks_per_second);

  [[nodiscard]] std::string_view Name() const override { return "host"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;
  [[nodiscard]] std::optional<Error> Incomplete() const override { return incomplete_; }
  // Takes over the processor time that must not fall.
  void Inherit(Collector& before) override;

 private:
  void AddStat(std::string_view text, Families& families);

  std::unique_ptr<FileReader> proc_;
  double ticks_per_second_;
  std::array<LabelsPtr, kCpuModes.size()> modes_;  // {mode}
  std::array<NeverFalls, kCpuModes.size()> cpu_ticks_;
  std::optional<Error> incomplete_;
  KeyedLines vmstat_;
  KeyedLines meminfo_;
};

extern const CollectorModule kHostCollector;

}  // namespace limpet
