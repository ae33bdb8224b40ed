// folder_slips.h: folders that the configuration or a flag of `serve` names and that are not there,
// one text each.
//
// Threads: pure, but for `exists`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnoser/config/config.h"

namespace limpet {

using FolderExists = std::function<bool(const std::string&)>;

// `state_folder`: what `serve` gets as --state-dir; may be empty.
[[nodiscard]] std::vector<std::string> FindFolderSlips(const DiagnoserConfig& config,
                                                       const std::string& state_folder,
                                                       const FolderExists& exists);

}  // namespace limpet
