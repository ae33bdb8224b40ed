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

// From the beginning of a fault until a component may be flagged, at most: a window that is full of
// it, and k - 1 more.
[[nodiscard]] Duration TimeToFlag(const PresetSettings& preset);

[[nodiscard]] std::vector<std::string> FindPresetSlips(const DiagnoserConfig& config);

}  // namespace limpet
