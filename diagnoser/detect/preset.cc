#include "diagnoser/detect/preset.h"

#include <algorithm>
#include <vector>

#include "diagnoser/detect/default_presets.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

}  // namespace

Duration PresetSettings::MaxGap() const {
  // One lost sample is bridged whatever the step; at 1 s, four of them.
  return max_gap.value_or(std::max<Duration>(5s, step * 5 / 2));
}

double PresetSettings::DefaultThreshold(std::string_view metric) const {
  const auto found = default_thresholds.find(metric);
  return found == default_thresholds.end() ? default_threshold : found->second;
}

double PresetSettings::NoiseFloor(std::string_view metric) const {
  const auto found = noise_floor.find(metric);
  return found == noise_floor.end() ? 0 : found->second;
}

// [Kasick10 §10.1]: the numbers of its testbench.
PresetSettings TestbenchPreset() {
  PresetSettings preset;
  preset.name = "testbench";
  preset.distance = DistanceKind::kKl;
  preset.bins = BinRule::kSturges;
  preset.hog_direction = false;
  preset.default_threshold = 2.0;
  preset.training_scale = 2;
  preset.training_cap = 0;
  return preset;
}

// [Kasick12 §4.2]: samples every 15 s, and a quarter of an hour a window.
PresetSettings ProductionPreset() {
  PresetSettings preset;
  preset.name = "production";
  preset.step = 15s;
  preset.smoothing = 15;
  preset.window = 60;
  preset.shift = 30;
  preset.distance = DistanceKind::kCdf;
  preset.bins = BinRule::kFreedmanDiaconis;
  preset.hog_direction = false;
  preset.default_threshold = 10.0;
  preset.training_scale = 2;
  preset.training_cap = 0;
  return preset;
}

std::span<const BuiltInPreset> BuiltInPresets() {
  static const std::vector<BuiltInPreset> kPresets = {
      {DefaultPreset(), "What runs when nothing is said: exact Wasserstein distance with gates."},
      {SlowDefaultPreset(), "The default for targets that are scraped every 15 s."},
      {BarePreset(), "What default was up to version 0.1.0."},
      {SlowBarePreset(), "What default-15s was up to version 0.1.0."},
      {TestbenchPreset(),
       "Kullback-Leibler divergence over Sturges bins at one sample a second; wants training."},
      {ProductionPreset(),
       "Distance of cumulative histograms over Freedman-Diaconis bins at 15 s; wants training."},
  };
  return kPresets;
}

std::optional<PresetSettings> PresetByName(std::string_view name) {
  for (const auto& preset : BuiltInPresets()) {
    if (preset.settings.name == name) {
      return preset.settings;
    }
  }
  return std::nullopt;
}

}  // namespace limpet
