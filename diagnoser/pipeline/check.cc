// What may be wrong with a PipelineConfig, in words.
#include <fmt/format.h>

#include <set>

#include "diagnoser/pipeline/config.h"
#include "diagnoser/pipeline/host_seconds.h"

namespace limpet {
namespace {

void CheckPreset(const PresetSettings& preset, std::vector<std::string>& problems) {
  const auto least = [&](const char* key, std::size_t value, std::size_t bound) {
    if (value < bound) {
      problems.push_back(fmt::format("presets.{}.{}: expected at least {}, got {}", preset.name,
                                     key, bound, value));
    }
  };
  if (preset.step < std::chrono::milliseconds(1)) {
    problems.push_back(fmt::format("presets.{}.step: expected at least 1ms", preset.name));
  }
  least("smoothing", preset.smoothing, 1);
  least("window", preset.window, 5);
  least("shift", preset.shift, 1);
  least("k", preset.k, 1);
  constexpr std::size_t kMax = 100'000;
  if (preset.window > kMax || preset.smoothing > kMax || preset.shift > kMax || preset.k > kMax) {
    problems.push_back(fmt::format("presets.{}: expected window, smoothing, shift and k up to {}",
                                   preset.name, kMax));
  }
  if (preset.domain_size == 1 || preset.domain_size == 2) {
    problems.push_back(
        fmt::format("presets.{}.domain_size: expected 0 (off) or at least 3, got {}: two cannot be "
                    "told apart",
                    preset.name, preset.domain_size));
  }
  if (!(preset.rho >= 1)) {
    problems.push_back(fmt::format("presets.{}.rho: expected at least 1", preset.name));
  }
  if (!(preset.default_threshold > 0)) {
    problems.push_back(
        fmt::format("presets.{}.default_threshold: expected a number over 0", preset.name));
  }
  for (const auto& [metric, threshold] : preset.default_thresholds) {
    if (!(threshold > 0)) {
      problems.push_back(fmt::format("presets.{}.default_thresholds.{}: expected a number over 0",
                                     preset.name, metric));
    }
  }
}

// Degrees of other settings are other numbers, whatever the preset is called.
void CheckSettings(const PresetSettings& preset, const Thresholds& thresholds,
                   std::vector<std::string>& problems) {
  for (const auto& other : OtherSettings(thresholds, preset)) {
    problems.push_back(
        fmt::format("thresholds: preset \"{}\" was trained with {}: train it again, or give the "
                    "configuration back what it was trained with",
                    preset.name, other));
  }
}

}  // namespace

std::vector<std::string> CheckPipelineConfig(const PipelineConfig& config) {
  std::vector<std::string> problems;
  std::set<std::string> names;
  if (config.presets.empty()) {
    problems.emplace_back("presets: expected at least one");
  }
  for (const auto& preset : config.presets) {
    if (!names.insert(preset.name).second) {
      problems.push_back(fmt::format("presets.{}: the name is taken", preset.name));
    }
    CheckPreset(preset, problems);
  }
  std::set<std::string> groups;
  for (const auto& group : config.groups) {
    if (group.name.empty() || !groups.insert(group.name).second) {
      problems.push_back(fmt::format("groups.{}: expected a name of its own", group.name));
    }
    if (KindRow(group.kind).by_connection && group.ports.empty()) {
      problems.push_back(
          fmt::format("groups.{}.ports: expected the file system's ports", group.name));
    }
    if (const auto rule = Rule::Compile(group); !rule) {
      problems.push_back(rule.error().Text());
    }
  }
  if (config.profiles) {
    for (const auto& rule : HostRules(*config.profiles)) {
      if (const auto compiled = Rule::Compile(rule); !compiled) {
        problems.push_back(compiled.error().Text());
      }
    }
  }
  std::set<std::string> trained;
  for (const auto& thresholds : config.thresholds) {
    if (!names.contains(thresholds.preset)) {
      problems.push_back(fmt::format(
          "thresholds: trained for preset \"{}\", which is not configured", thresholds.preset));
    }
    for (const auto& preset : config.presets) {
      if (preset.name == thresholds.preset) {
        CheckSettings(preset, thresholds, problems);
      }
    }
    if (!trained.insert(thresholds.preset).second) {
      problems.push_back(fmt::format("thresholds: two sets for preset \"{}\"", thresholds.preset));
    }
  }
  return problems;
}

}  // namespace limpet
