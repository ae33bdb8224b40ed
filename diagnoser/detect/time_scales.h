// time_scales.h: one preset judged over windows of several lengths at once.
//
// One length decides both how soon a strong fault is named and how weak a fault can be seen. A
// short window names a strong one within seconds, and has to be more extreme to count
// (threshold_factor); the preset's own windows see the weak ones. Every scale runs as a preset of
// its own, with its own filters; the verdicts of a server are made from the flags of all of them
// (pipeline/server_verdicts.h). What was measured: docs/accuracy.md. The built-in scales are for
// samples of 1 s; presets of longer steps go without (config/presets.h).
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "diagnoser/detect/preset.h"

namespace limpet {

struct TimeScale {
  const char* name;
  // As in PresetSettings, in steps of the preset's grid.
  std::size_t window;
  std::size_t shift;
  std::size_t smoothing;
  std::size_t k;
  double threshold_factor;
};

[[nodiscard]] std::span<const TimeScale> BuiltInScales();
// nullptr when there is none of that name.
[[nodiscard]] const TimeScale* FindScale(std::string_view name);

// The preset "<base>/<scale>". Of a scale that is not built in it has the base's numbers.
[[nodiscard]] PresetSettings ScalePreset(const PresetSettings& base, std::string_view scale);

}  // namespace limpet
