#include "diagnoser/config/preset_slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "diagnoser/config/slips.h"
#include "diagnoser/detect/detectors.h"
#include "diagnoser/detect/time_scales.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

// Not an error: who has too little CPU time may want to look at every other minute only.
void WarnOfHoles(const PresetSettings& preset, Texts& warnings) {
  if (preset.shift > preset.window) {
    warnings.push_back(fmt::format(
        "presets: {}: a shift of {} samples over a window of {}: the {} samples between two "
        "windows are never looked at",
        preset.name, preset.shift, preset.window, preset.shift - preset.window));
  }
}

// A preset is as fast as the fastest of it and its time scales.
void WarnOfSlowVerdicts(const std::vector<PresetSettings>& presets, Texts& warnings) {
  for (const auto& preset : presets) {
    if (preset.IsScale()) {
      continue;
    }
    auto soonest = FindNamingTime(preset).usual;
    for (const auto& scale : presets) {
      if (scale.scale_of.preset == preset.name) {
        soonest = std::min(soonest, FindNamingTime(scale).usual);
      }
    }
    if (soonest > 1h) {
      warnings.push_back(fmt::format(
          "presets: {}: with step, window, shift and k as they are a fault is named after about "
          "{} minutes; expected an hour at most: make window, shift or k smaller",
          preset.name, std::chrono::ceil<std::chrono::minutes>(soonest).count()));
    }
  }
}

// Degrees without a natural scale, as the papers' have: untrained thresholds are place holders.
void WarnOfMissingThresholds(const DiagnoserConfig& config, Texts& warnings) {
  for (const auto& preset : config.pipeline.presets) {
    const bool wants = MakeDetector(preset)->Training().in_tenths;
    const bool has = std::ranges::any_of(
        config.thresholds, [&](const Thresholds& one) { return one.preset == preset.name; });
    if (wants && !has && !preset.IsScale()) {
      warnings.push_back(fmt::format(
          "presets: {} has no trained thresholds, and {:g} is a place holder that indicts healthy "
          "servers: make some (limpet-diagnoser train) and name them with --thresholds",
          preset.name, preset.default_threshold));
    }
  }
}

// limpet-exporter samples once a second unless it is told otherwise; asked more often it says the
// same again.
void WarnOfIntervals(const DiagnoserConfig& config, Texts& warnings) {
  std::set<Duration> intervals;
  Texts nodes;
  for (const auto& target : config.targets) {
    if (target.interval < 1s && target.endpoint.port != kNodeExporterPort) {
      nodes.push_back(target.node);
      intervals.insert(target.interval);
    }
  }
  if (!nodes.empty()) {
    warnings.push_back(fmt::format(
        "scrape.interval: {} every {:g} s: limpet-exporter has a new sample once a second, unless "
        "its sampling.interval says otherwise",
        ListedNames(nodes), ToSeconds(*intervals.begin())));
  }
}

}  // namespace

std::vector<std::string> FindPresetSlips(const DiagnoserConfig& config) {
  Texts warnings;
  for (const auto& preset : config.pipeline.presets) {
    WarnOfHoles(preset, warnings);
  }
  WarnOfSlowVerdicts(config.pipeline.presets, warnings);
  WarnOfMissingThresholds(config, warnings);
  WarnOfIntervals(config, warnings);
  return warnings;
}

}  // namespace limpet
