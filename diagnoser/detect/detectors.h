// detectors.h: the table of detectors that a preset may name (`distance: w1`).
//
// Threads: pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/preset.h"

namespace limpet {

// The detector that the preset names, with the preset's settings. `preset` must outlive it.
[[nodiscard]] std::unique_ptr<const Detector> MakeDetector(const PresetSettings& preset);

// Returns the name as configurations spell it.
[[nodiscard]] std::string DetectorName(const PresetSettings& preset);
// All of them; the place of a name is the value of its DistanceKind.
[[nodiscard]] std::vector<std::string> DetectorNames();

}  // namespace limpet
