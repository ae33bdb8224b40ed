#include "diagnoser/detect/time_scales.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace limpet {
namespace {

// k of 2k-1 windows: the first flag comes after window + (k-1) shifts at most, and k-1 odd windows
// in a row are still chance.
constexpr std::array<TimeScale, 2> kScales = {{
    {.name = "fast", .window = 16, .shift = 4, .smoothing = 2, .k = 4, .threshold_factor = 3},
    {.name = "middle", .window = 32, .shift = 8, .smoothing = 3, .k = 3, .threshold_factor = 2},
}};
// Degrees of 4 and 2.5 with the default's threshold of 1.25: of windows of 8 samples at 3, and of
// 24 at 2, some healthy drives were named (docs/decisions/0154).
constexpr std::array<TimeScale, 2> kSlowScales = {{
    {.name = "fast", .window = 8, .shift = 2, .smoothing = 1, .k = 4, .threshold_factor = 3.2},
    {.name = "middle", .window = 24, .shift = 6, .smoothing = 3, .k = 3, .threshold_factor = 2},
}};

// Of steps up to kBrief: the filter of longer ones would take more time than a fault needs to show.
constexpr std::array<TimeScale, 2> kBriefScales = {{
    {.name = "fast", .window = 8, .shift = 2, .smoothing = 1, .k = 3, .threshold_factor = 3.2},
    {.name = "middle", .window = 24, .shift = 6, .smoothing = 3, .k = 3, .threshold_factor = 2},
}};
constexpr Duration kBrief = std::chrono::seconds(5);

// An effect of so much is a degree of 1 (detect/wasserstein).
constexpr double kEffectOfDegree = 0.25;

Duration Steps(const PresetSettings& preset, std::size_t count) {
  return preset.step * static_cast<Duration::rep>(count);
}

}  // namespace

std::span<const TimeScale> BuiltInScales(Duration step) {
  if (step <= std::chrono::seconds(1)) {
    return kScales;
  }
  return step <= kBrief ? kBriefScales : kSlowScales;
}

const TimeScale* FindScale(std::string_view name, Duration step) {
  const auto scales = BuiltInScales(step);
  const auto found =
      std::ranges::find_if(scales, [&](const TimeScale& scale) { return scale.name == name; });
  return found == scales.end() ? nullptr : &*found;
}

PresetSettings ScalePreset(const PresetSettings& base, std::string_view scale) {
  auto preset = base;
  preset.scale_of = {.preset = base.name, .scale = std::string(scale)};
  preset.name = base.name + "/" + std::string(scale);
  // A sample that the preset has must not be missing here, whatever the step.
  preset.max_gap = base.MaxGap();
  preset.cwnd_events = false;  // the preset itself prints them
  if (const auto* known = FindScale(scale, base.step)) {
    preset.window = known->window;
    preset.shift = known->shift;
    preset.smoothing = known->smoothing;
    preset.k = known->k;
    preset.threshold_factor = base.threshold_factor * known->threshold_factor;
  }
  return preset;
}

NamingTime FindNamingTime(const PresetSettings& preset) {
  const auto until_flagged = Steps(preset, preset.k * preset.shift);
  return {.usual = Steps(preset, preset.window) / 2 + until_flagged - preset.Shift() / 2,
          .most = Steps(preset, preset.window) + until_flagged,
          .times = 1 + kEffectOfDegree * preset.default_threshold * preset.threshold_factor};
}

}  // namespace limpet
