// presets.h: the sections `preset` and `presets` of the configuration.
//
//   preset: testbench          # the short form: one preset as it is
//
//   presets:
//     - base: production       # the name of a built-in preset; when absent, what would be used
//                              # without any preset
//       name: night            # the base's when absent
//       window: 120            # any number of the base, overridden
//       scales:                # the same data over other lengths of window at once (time_scales.h)
//         - {name: fast}       # any number of it overridden, too; when absent, the base's
//
// Threads: pure.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "exporter/common/yaml.h"

namespace limpet {

struct ChosenPresets {
  std::vector<PresetSettings> presets;  // each followed by its time scales; never empty
  std::vector<std::string> notes;       // on names that have come to mean more
};

// `implied` and its scales when neither is there. Problems are added to those of `top`.
[[nodiscard]] ChosenPresets ReadPresets(yaml::MapReader& top, const PresetSettings& implied);

}  // namespace limpet
