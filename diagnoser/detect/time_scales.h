// time_scales.h: one preset judged over windows of several lengths at once.
//
// One length decides both how soon a strong fault is named and how weak a fault can be seen. A
// short window names a strong one within seconds, and has to be more extreme to count
// (threshold_factor); the preset's own windows see the weak ones. Every scale runs as a preset of
// its own, with its own filters; the verdicts of a server are made from the flags of all of them
// (pipeline/server_verdicts.h). The built-in scales count in samples, and have other numbers where
// samples are further apart than 1 s: fewer of them, each of which averages more work. What was
// measured: docs/accuracy.md.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "diagnoser/detect/preset.h"
#include "exporter/common/time.h"

namespace limpet {

struct TimeScale {
  const char* name;
  // Same as in PresetSettings, in steps of the preset's grid.
  std::size_t window;
  std::size_t shift;
  std::size_t smoothing;
  std::size_t k;
  double threshold_factor;
};

// Returns those for samples `step` apart, the shortest first.
[[nodiscard]] std::span<const TimeScale> BuiltInScales(Duration step);
// Returns nullptr when there is none of that name.
[[nodiscard]] const TimeScale* FindScale(std::string_view name, Duration step);

// Returns the preset "<base>/<scale>"; of a scale that is not built in it has the base's numbers.
[[nodiscard]] PresetSettings ScalePreset(const PresetSettings& base, std::string_view scale);

// The times after its beginning at which a fault is named that the windows of `preset` see.
struct NamingTime {
  Duration usual{};  // half a window of it is enough
  Duration most{};   // it takes a whole one, and the fault began just after a window
  double times = 1;  // how many times its peers' level it must reach; w1 only
  bool operator==(const NamingTime&) const = default;
};
[[nodiscard]] NamingTime FindNamingTime(const PresetSettings& preset);

}  // namespace limpet
