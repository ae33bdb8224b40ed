// proc_stat.h: the lines of /proc/stat that concern the whole host (Documentation/filesystems/
// proc.rst §1.7).
//
// Units:   processor time in ticks of sysconf(_SC_CLK_TCK), which is for the caller to know.
// Missing: nullopt for what is not there or not whole; cpu modes beyond those the kernel prints
//          are nullopt too (steal since 2.6.11, guest 2.6.24, guest_nice 2.6.33).
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace limpet {

// Modes in the order of the "cpu" line; guest time is part of user time and left out here.
inline constexpr std::array<std::string_view, 8> kCpuModes = {"user",   "nice", "system",  "idle",
                                                              "iowait", "irq",  "softirq", "steal"};

struct ProcStat {
  std::array<std::optional<std::uint64_t>, kCpuModes.size()> cpu_ticks;  // over all processors
  std::optional<std::uint64_t> interrupts;
  std::optional<std::uint64_t> context_switches;
  std::optional<std::uint64_t> boot_time;  // Unix seconds
  std::optional<std::uint64_t> forks;
  std::optional<std::uint64_t> running;
  std::optional<std::uint64_t> blocked;
};

[[nodiscard]] ProcStat ParseProcStat(std::string_view text);

}  // namespace limpet
