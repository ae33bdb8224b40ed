#include "exporter/kernel/proc_stat.h"

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {

ProcStat ParseProcStat(std::string_view text) {
  ProcStat stat;
  Lines lines(WholeLines(text));
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    const auto key = fields.Next();
    // The sum over processors; lines of single ones ("cpu0") are left alone. An old kernel prints
    // fewer modes: those are missing, not 0.
    if (key == "cpu") {
      for (auto& ticks : stat.cpu_ticks) {
        ticks = ParseU64(fields.Next());
      }
    } else if (key == "intr") {  // the total; thousands of single interrupts may follow
      stat.interrupts = ParseU64(fields.Next());
    } else if (key == "ctxt") {
      stat.context_switches = ParseU64(fields.Next());
    } else if (key == "btime") {
      stat.boot_time = ParseU64(fields.Next());
    } else if (key == "processes") {
      stat.forks = ParseU64(fields.Next());
    } else if (key == "procs_running") {
      stat.running = ParseU64(fields.Next());
    } else if (key == "procs_blocked") {
      stat.blocked = ParseU64(fields.Next());
    }
  }
  return stat;
}

}  // namespace limpet
