// presets.h: the sections `preset` and `presets` of the configuration.
//
//   preset: default            # the short form: one preset as it is
//
//   presets:
//     - base: production       # default, default-15s, testbench or production; when absent, what
//                              # would be used without any preset
//       name: night            # the base's when absent
//       window: 120            # any number of the base, overridden
//       scales:                # the same data over other lengths of window at once (time_scales.h)
//         - {name: fast}       # any number of it overridden, too
//
// Threads: pure.
#pragma once

#include <vector>

#include "diagnoser/detect/preset.h"
#include "exporter/common/yaml.h"

namespace limpet {

// `implied` alone when neither is there. Problems are added to those of `top`.
[[nodiscard]] std::vector<PresetSettings> ReadPresets(yaml::MapReader& top,
                                                      const PresetSettings& implied);

}  // namespace limpet
