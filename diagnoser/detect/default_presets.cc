#include "diagnoser/detect/default_presets.h"

#include <fmt/format.h>

#include <chrono>

#include "diagnoser/detect/time_scales.h"
#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

// Readings up to so far apart have several a window of 16 s, and none of its samples in a gap.
constexpr Duration kSecondBySecond = 2s;
// Windows of 120 readings end with the half day.
constexpr Duration kOften = 120s;

// Returns the whole seconds that readings are meant to be apart: scrapes are some milliseconds off.
Duration NeatStep(Duration spacing) {
  const Duration whole = std::chrono::round<std::chrono::seconds>(spacing);
  return std::chrono::abs(spacing - whole) <= spacing / 20 ? whole : spacing;
}

// What was found to be right at any step.
void Complete(PresetSettings& preset) {
  preset.doubt_readings = true;  // one odd reading is no load (docs/decisions/0132)
  preset.cwnd_f = 0.65;          // packet loss from 0.5 % on in the lab (docs/decisions/0082)
  preset.balance = true;         // who merely has more to do is no hog (docs/decisions/0150)
  preset.device_kinds = true;    // a system disk on every server is no fault (docs/decisions/0184)
  preset.service_time = ServiceTime::kDevice;
  preset.retransmissions = true;
  preset.training_deviant = TrainingDeviant::kGroup;
  // As many distances as are sorted side by side: beyond, all pairs cost three times as much as
  // bounds and more (docs/decisions/0064).
  preset.exact_up_to = 256;
}

}  // namespace

PresetSettings BarePreset() {
  PresetSettings preset;
  preset.name = "bare";
  // Below the rows' floors an operator would not care, whatever the ratio.
  for (const auto some : MetricTable()) {
    for (const auto& row : some) {
      if (row.noise_floor > 0) {
        preset.noise_floor.emplace(row.name, row.noise_floor);
      }
    }
  }
  return preset;
}

// Kept as it was for thresholds and states of that time (docs/upgrade.md).
PresetSettings SlowBarePreset() {
  auto preset = BarePreset();
  preset.name = "bare-15s";
  preset.device_kinds = true;
  preset.step = 15s;
  preset.smoothing = 15;
  // Measured on 3,006 labelled production drives (docs/decisions/0151): shorter windows and a lower
  // threshold found no other faults, and called 272 healthy drives hogs or busy.
  preset.window = 120;
  preset.shift = 60;
  preset.default_threshold = 1.25;
  preset.ranking_scope = RankingScope::kPeers;
  preset.latency_floor_flash = 0;
  preset.svctm_gate = SvctmGate::kUncapped;
  preset.training_deviant = TrainingDeviant::kGroup;
  return preset;
}

PresetSettings DefaultPreset() {
  auto preset = BarePreset();
  preset.name = "default";
  Complete(preset);
  // Names the cause sooner when all servers start and stop together (docs/decisions/0080); at 15 s
  // it doubled the wrong verdicts (0151).
  preset.scatter = Scatter::kResiduals;
  return preset;
}

PresetSettings SlowDefaultPreset() {
  auto preset = SlowBarePreset();
  preset.name = "default-15s";
  Complete(preset);
  return preset;
}

PresetSettings DefaultPresetFor(Duration spacing) {
  if (spacing <= kSecondBySecond) {
    return DefaultPreset();
  }
  auto preset = SlowDefaultPreset();
  preset.step = NeatStep(spacing);
  if (spacing <= kOften) {
    preset.name = fmt::format("default-{:g}s", ToSeconds(preset.step));
    return preset;
  }
  preset.name = "default-coarse";
  preset.smoothing = 3;
  preset.window = 24;
  preset.shift = 6;
  return preset;
}

bool HasScales(std::string_view built_in) {
  return built_in == "default" || built_in == "default-15s";
}

std::vector<PresetSettings> WithScales(const PresetSettings& base) {
  std::vector<PresetSettings> presets = {base};
  for (const auto& scale : BuiltInScales(base.step)) {
    if (scale.window < base.window) {
      presets.push_back(ScalePreset(base, scale.name));
    }
  }
  return presets;
}

std::string PrintScales(const PresetSettings& base) {
  std::string names;
  for (const auto& preset : WithScales(base)) {
    if (preset.IsScale()) {
      names += (names.empty() ? "{name: " : ", {name: ") + preset.scale_of.scale + "}";
    }
  }
  return "scales: [" + names +
         "]  # the same data over other windows as well; any key above may stand beside the name";
}

std::vector<PresetSettings> DefaultPresets() { return WithScales(DefaultPreset()); }

}  // namespace limpet
