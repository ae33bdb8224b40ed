#include "diagnoser/detect/time_scales.h"

#include <algorithm>
#include <array>
#include <string>

namespace limpet {
namespace {

// k of 2k-1 windows: the first flag comes after window + (k-1) shifts at most, and k-1 odd windows
// in a row are still chance.
constexpr std::array<TimeScale, 2> kScales = {{
    {.name = "fast", .window = 16, .shift = 4, .smoothing = 2, .k = 4, .threshold_factor = 3},
    {.name = "middle", .window = 32, .shift = 8, .smoothing = 3, .k = 3, .threshold_factor = 2},
}};

}  // namespace

std::span<const TimeScale> BuiltInScales() { return kScales; }

const TimeScale* FindScale(std::string_view name) {
  const auto* const found = std::find_if(
      kScales.begin(), kScales.end(), [&](const TimeScale& scale) { return scale.name == name; });
  return found == kScales.end() ? nullptr : found;
}

PresetSettings ScalePreset(const PresetSettings& base, std::string_view scale) {
  auto preset = base;
  preset.scale_of = {.preset = base.name, .scale = std::string(scale)};
  preset.name = base.name + "/" + std::string(scale);
  // A sample that the preset has must not be missing here, whatever the step.
  preset.max_gap = base.MaxGap();
  preset.cwnd_events = false;  // the preset itself prints them
  if (const auto* known = FindScale(scale)) {
    preset.window = known->window;
    preset.shift = known->shift;
    preset.smoothing = known->smoothing;
    preset.k = known->k;
    preset.threshold_factor = base.threshold_factor * known->threshold_factor;
  }
  return preset;
}

}  // namespace limpet
