// common_flags.h: flags that several subcommands share, so that they read the same everywhere.
//
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "exporter/common/command_line.h"

namespace limpet {

inline constexpr const char* kDefaultConfigFile = "/etc/limpet/diagnoser.yml";

void BindConfigFile(Flags& flags, std::string& file);
void BindThresholdsFile(Flags& flags, std::string& file);
void BindRecordings(Flags& flags, std::vector<std::string>& inputs);

}  // namespace limpet
