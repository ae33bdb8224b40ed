#include "diagnoser/commands/presets.h"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>

#include "diagnoser/commands/messages.h"
#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/preset_fields.h"

namespace limpet {
namespace {

std::string PresetYaml(const PresetSettings& preset) {
  auto text = fmt::format("  - base: {}\n", preset.name);
  for (const auto& field : PresetFields()) {
    const auto entry = fmt::format("{}: {}", field.key, PrintValue(field, preset));
    fmt::format_to(std::back_inserter(text), "    {:<30}# {}\n", entry + " ", field.text);
  }
  if (HasScales(preset.name)) {
    fmt::format_to(std::back_inserter(text), "    {}\n", PrintScales(preset));
  }
  return text;
}

}  // namespace

void PresetsOptions::Bind(Flags& flags) {
  flags.AddInputs(names, "NAME", "presets to print, such as production; by default all");
}

int RunPresets(const PresetsOptions& options) {
  std::vector<std::string> known;
  for (const auto& preset : BuiltInPresets()) {
    known.push_back(preset.settings.name);
  }
  std::string text = "presets:\n";
  for (const auto& name : options.names.empty() ? known : options.names) {
    const auto preset = PresetByName(name);
    if (!preset) {
      return Fail(
          fmt::format("presets: expected one of {}, got \"{}\"", fmt::join(known, ", "), name),
          kExitUsage);
    }
    text += PresetYaml(*preset);
  }
  // All or nothing: half a preset would be read as a whole one.
  fmt::print("{}", text);
  return std::fflush(stdout) == 0 ? kExitOk
                                  : Fail("presets: standard output cannot be written", kExitFailed);
}

}  // namespace limpet
