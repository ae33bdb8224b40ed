// pid_stat.h: two numbers of /proc/PID/stat (proc.rst §1.1).
//
// Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace limpet {

struct PidStat {
  std::uint64_t threads = 0;
  std::uint64_t resident_pages = 0;
};

// nullopt when the line is cut. The command name may hold blanks and parentheses.
[[nodiscard]] std::optional<PidStat> ParsePidStat(std::string_view text);

}  // namespace limpet
