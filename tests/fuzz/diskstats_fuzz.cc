// /proc/diskstats of anybody's making: parsed whole and through a disk's history, which must never
// show a rate that is negative or not a number.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exporter/collectors/disk_history.h"
#include "exporter/kernel/diskstats.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto stats = limpet::ParseDiskstats(text);
  limpet::DiskHistory disk;
  limpet::SteadyTime at{};
  for (const auto& line : stats.lines) {
    if (line.name.empty() || line.counters.in_flight > INT32_MAX) {
      std::abort();
    }
    at += std::chrono::seconds(1);
    const auto before = disk.Counters();
    disk.Update(line, at, line.minor % 2 == 0);
    if (!disk.IsNewDevice() && disk.Counters().weighted_ms < before.weighted_ms) {
      std::abort();
    }
    if (const auto& rates = disk.Rates()) {
      if (!(rates->await >= 0) || !std::isfinite(rates->queue_length) || rates->utilization > 1) {
        std::abort();
      }
    }
  }
  return 0;
}
