// common_flags.h: flags that several subcommands share, so that they read the same everywhere.
//
// Threads: from main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "exporter/common/command_line.h"

namespace limpet {

inline constexpr const char* kDefaultConfigFile = "/etc/limpet/diagnoser.yml";

// The packages' service has this one.
inline constexpr const char* kDefaultStateFolder = "/var/lib/limpet-diagnoser";

void BindStateFolder(Flags& flags, std::string& folder);
void BindConfigFile(Flags& flags, std::string& file);
void BindThresholdsFile(Flags& flags, std::string& file);
void BindRecordings(Flags& flags, std::vector<std::string>& inputs);

inline constexpr std::uint64_t kMaxJobs = 256;
// Binds how far it is: a line on a terminal (auto), JSON lines on standard error, or nothing.
void BindProgress(Flags& flags, std::string& progress);
// 0: as many as there are cores.
void BindJobs(Flags& flags, std::uint64_t& jobs);
// Returns how many threads `jobs` asks for beside the main one; at most `most` where it leaves that
// to us.
[[nodiscard]] std::size_t HelperThreads(std::uint64_t jobs, std::size_t most = kMaxJobs);

}  // namespace limpet
