// loadavg.h: the one line of /proc/loadavg.
//
// Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace limpet {

struct LoadAverage {
  double load1 = 0;
  double load5 = 0;
  double load15 = 0;
  std::uint64_t runnable = 0;  // threads that run or could run, the reader included
  std::uint64_t threads = 0;   // threads on the system
};

// "0.20 0.18 0.12 1/80 11206"; nullopt unless the first four fields are whole.
[[nodiscard]] std::optional<LoadAverage> ParseLoadAverage(std::string_view text);

}  // namespace limpet
