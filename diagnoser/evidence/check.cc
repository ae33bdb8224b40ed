// What may be wrong with a PipelineConfig, in words.
#include <fmt/format.h>

#include <set>

#include "diagnoser/detect/preset_fields.h"
#include "diagnoser/evidence/config.h"
#include "diagnoser/evidence/host_seconds.h"

namespace limpet {
namespace {

void CheckPreset(const PresetSettings& preset, std::vector<std::string>& problems) {
  for (const auto& field : PresetFields()) {
    if (const auto problem = FindRangeProblem(field, preset)) {
      problems.push_back(fmt::format("presets.{}.{}: {}", preset.name, field.key, *problem));
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
    // CompileRules (setup.cc) takes success for granted, so a bad expression must be found here.
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
