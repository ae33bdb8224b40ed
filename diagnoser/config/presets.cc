#include "diagnoser/config/presets.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "diagnoser/detect/detectors.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string>& Bases() {
  static const std::vector<std::string> kNames = {"default", "default-15s", "testbench",
                                                  "production"};
  return kNames;
}

void ReadCount(yaml::MapReader& entry, std::string_view key, std::int64_t least, std::int64_t most,
               std::size_t& value) {
  if (const auto number = entry.Integer(key, least, most)) {
    value = static_cast<std::size_t>(*number);
  }
}

// The places of `choices` are the values of the enumeration.
template <class Enum>
void ReadChoice(yaml::MapReader& entry, std::string_view key,
                const std::vector<std::string>& choices, Enum& value) {
  if (const auto chosen = entry.OneOf(key, choices)) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] == *chosen) {
        value = static_cast<Enum>(i);
      }
    }
  }
}

template <class Values>
void ReadByMetric(yaml::MapReader& entry, std::string_view key, Values& values) {
  for (const auto& [metric, value] : entry.NumberMap(key)) {
    values[metric] = value;
  }
}

void ReadOverrides(yaml::MapReader& entry, PresetSettings& preset) {
  preset.name = entry.Text("name").value_or(preset.name);
  preset.step = entry.Time("step", 1ms).value_or(preset.step);
  ReadCount(entry, "smoothing", 1, 1000, preset.smoothing);
  ReadCount(entry, "window", 5, 100'000, preset.window);
  ReadCount(entry, "shift", 1, 100'000, preset.shift);
  ReadCount(entry, "k", 1, 100, preset.k);
  ReadChoice(entry, "distance", DetectorNames(), preset.distance);
  ReadChoice(entry, "bins", {"sturges", "freedman-diaconis"}, preset.bins);
  ReadChoice(entry, "iqr", {"pooled", "within"}, preset.iqr);
  preset.hog_direction = entry.Bool("hog_direction").value_or(preset.hog_direction);
  ReadChoice(entry, "svctm_gate", {"always", "busy", "either", "off"}, preset.svctm_gate);
  ReadChoice(entry, "scatter", {"own", "residuals"}, preset.scatter);
  ReadCount(entry, "exact_up_to", 2, 1'000'000'000, preset.exact_up_to);
  ReadCount(entry, "domain_size", 0, 1'000'000'000, preset.domain_size);
  ReadCount(entry, "domain_seed", 0, std::numeric_limits<std::int64_t>::max(), preset.domain_seed);
  preset.ranking = entry.Bool("ranking").value_or(preset.ranking);
  ReadChoice(entry, "ranking_scope", {"all", "peers"}, preset.ranking_scope);
  preset.rho = entry.Number("rho", 1, 1e6).value_or(preset.rho);
  ReadByMetric(entry, "noise_floor", preset.noise_floor);
  preset.noise_floor_relative =
      entry.Number("noise_floor_relative", 0, 1e6).value_or(preset.noise_floor_relative);
  preset.latency_floor_flash =
      entry.Number("latency_floor_flash", 0, 1e6).value_or(preset.latency_floor_flash);
  preset.default_threshold =
      entry.Number("default_threshold", 1e-6, 1e9).value_or(preset.default_threshold);
  ReadByMetric(entry, "default_thresholds", preset.default_thresholds);
  preset.training_scale = entry.Number("training_scale", 1, 1000).value_or(preset.training_scale);
  if (const auto cap = entry.Number("training_cap", 0, 1e6)) {
    preset.training_cap = *cap;
    if (*cap > 0 && *cap < 1) {
      entry.Refuse("training_cap", "expected 0 (no bound) or at least 1");
    }
  }
  if (const auto gap = entry.Time("max_gap", 1ms)) {
    preset.max_gap = gap;
  }
  preset.cwnd_f = entry.Number("cwnd_f", 0.05, 0.95).value_or(preset.cwnd_f);
  preset.cwnd_events = entry.Bool("cwnd_events").value_or(preset.cwnd_events);
  ReadCount(entry, "hourly_top", 1, 1000, preset.hourly_top);
  preset.hourly_metric = entry.Text("hourly_metric").value_or(preset.hourly_metric);
}

}  // namespace

std::vector<PresetSettings> ReadPresets(yaml::MapReader& top, const PresetSettings& implied) {
  std::vector<PresetSettings> presets;
  const auto single = top.OneOf("preset", Bases());
  auto entries = top.Maps("presets");
  if (single && !entries.empty()) {
    top.Refuse("preset", "expected either preset or presets, not both");
  }
  if (single) {
    presets.push_back(*PresetByName(*single));
  }
  std::set<std::string> names;
  for (auto& entry : entries) {
    const auto base = entry.OneOf("base", Bases());
    auto preset = base ? *PresetByName(*base) : implied;
    ReadOverrides(entry, preset);
    entry.RefuseUnknown();
    if (preset.name.empty() || !names.insert(preset.name).second) {
      entry.Refuse("name", "expected a name that no other preset has, got \"" + preset.name + "\"");
    }
    presets.push_back(std::move(preset));
  }
  if (!single && entries.empty()) {
    presets.push_back(implied);
  }
  return presets;
}

}  // namespace limpet
