// program_statistics.h: what the kernel tells of a BPF program in /proc/self/fdinfo.
//
// Units:   nanoseconds and runs since loading; both only while kernel.bpf_stats_enabled is 1.
// Missing: nullopt: the kernel does not say, or the file is of something else.
// Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace limpet::bpf {

struct ProgramStatistics {
  std::uint64_t run_ns = 0;
  std::uint64_t runs = 0;
  // Not run, because it was running on that CPU already (since 5.12).
  std::uint64_t missed = 0;
};

[[nodiscard]] std::optional<ProgramStatistics> ParseProgramFdinfo(std::string_view text);

}  // namespace limpet::bpf
