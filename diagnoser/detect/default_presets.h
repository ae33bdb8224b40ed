// default_presets.h: what judges when nobody chose, as a whole: `default` with its time scales.
//
// `bare` and `bare-15s` are what `default` and `default-15s` were up to version 0.1.0, to the
// letter: without balance, service times by device, segments sent again, and time scales. What each
// of those adds is in docs/how-it-decides.md. Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/preset.h"

namespace limpet {

[[nodiscard]] PresetSettings BarePreset();      // "bare", 1 s
[[nodiscard]] PresetSettings SlowBarePreset();  // "bare-15s"

// Returns whether the built-in preset of that name is judged over several lengths of window.
[[nodiscard]] bool HasScales(std::string_view built_in);

// Returns `default` for readings so far apart: up to 2 s `default` itself; up to 2 minutes
// `default-15s` with their step and name ("default-5s"); beyond that "default-coarse", with windows
// of 24 readings.
[[nodiscard]] PresetSettings DefaultPresetFor(Duration spacing);

// Returns `base` and, behind it, the built-in time scales that are shorter than it.
[[nodiscard]] std::vector<PresetSettings> WithScales(const PresetSettings& base);

// Prints YAML with a comment: "scales: [{name: fast}, {name: middle}]"; "scales: []" without any.
[[nodiscard]] std::string PrintScales(const PresetSettings& base);

// `default` with its scales.
[[nodiscard]] std::vector<PresetSettings> DefaultPresets();

}  // namespace limpet
