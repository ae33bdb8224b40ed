// preset_slips.h: what in the presets of a configuration looks like a slip, one text each: windows
// with holes, verdicts that take longer than an hour, thresholds that are missing, scrapes that
// read the same sample twice.
//
// Threads: pure.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/config/config.h"

namespace limpet {

[[nodiscard]] std::vector<std::string> FindPresetSlips(const DiagnoserConfig& config);

}  // namespace limpet
