#include "diagnoser/config/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/preset_fields.h"
#include "diagnoser/detect/time_scales.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> BuiltInNames() {
  std::vector<std::string> names;
  for (const auto& preset : BuiltInPresets()) {
    names.push_back(preset.settings.name);
  }
  return names;
}

// Reads one key into `preset`, one overload a kind of value; what is wrong or absent leaves the
// base's value.
struct Reader {
  yaml::MapReader& entry;
  std::string_view key;
  PresetSettings& preset;

  template <class Read, class Value>
  static void Assign(const std::optional<Read>& read, Value& value) {
    if (read) {
      value = static_cast<Value>(*read);
    }
  }

  void operator()(const TextField& field) const { Assign(entry.Text(key), preset.*field.member); }
  void operator()(const BoolField& field) const { Assign(entry.Bool(key), preset.*field.member); }
  // Where 0 has a meaning of its own, what lies between it and min is refused by ReadField.
  void operator()(const CountField& field) const {
    const auto min = field.zero == nullptr ? field.min : 0;
    Assign(entry.Integer(key, min, field.max), preset.*field.member);
  }
  void operator()(const NumberField& field) const {
    const auto min = field.zero == nullptr ? field.min : 0;
    Assign(entry.Number(key, min, field.max), preset.*field.member);
  }
  void operator()(const TimeField& field) const {
    Assign(entry.Time(key, 1ms), preset.*field.member);
  }
  void operator()(const DerivedTimeField& field) const {
    if (const auto time = entry.Time(key, 1ms)) {
      preset.*field.member = time;
    }
  }
  void operator()(const ByMetricField& field) const {
    for (const auto& [metric, value] : entry.NumberMap(key)) {
      (preset.*field.member)[metric] = value;
    }
  }
  void operator()(const ChoiceField& field) const {
    if (const auto chosen = entry.OneOf(key, field.names)) {
      const auto place = std::find(field.names.begin(), field.names.end(), *chosen);
      field.set(preset, static_cast<std::size_t>(place - field.names.begin()));
    }
  }
};

void ReadField(const PresetField& field, yaml::MapReader& entry, PresetSettings& preset) {
  std::visit(Reader{entry, field.key, preset}, field.kind);
  // CheckPipelineConfig would find it too, but no longer knows the line of the file.
  if (const auto problem = FindRangeProblem(field, preset)) {
    entry.Refuse(field.key, *problem);
  }
}

// Those that are listed; their numbers begin with the base's.
std::vector<PresetSettings> ReadScales(yaml::MapReader& entry, const PresetSettings& base) {
  std::vector<PresetSettings> presets;
  std::set<std::string> names;
  for (auto& scale : entry.Maps("scales")) {
    const auto name = scale.Text("name").value_or("");
    auto preset = ScalePreset(base, name);
    const auto full = preset.name;
    for (const auto& field : PresetFields()) {
      ReadField(field, scale, preset);
    }
    preset.name = full;
    scale.RefuseUnknown();
    if (name.empty() || !names.insert(name).second) {
      scale.Refuse("name",
                   "expected the name of a time scale (fast, middle, or one of your own) "
                   "that the preset does not have yet, got \"" +
                       name + "\"");
    }
    presets.push_back(std::move(preset));
  }
  return presets;
}

// Whether readings are too far apart for the built-in default of that name.
bool IsTooFine(const std::string& name, const PresetSettings& implied) {
  return HasScales(name) && implied.step > PresetByName(name)->step;
}

// Returns what a name stands for: the default is the one that the readings allow, unless the entry
// sees to that itself.
PresetSettings FindBase(const std::string& name, const PresetSettings& implied, bool fits) {
  return !fits && IsTooFine(name, implied) ? implied : *PresetByName(name);
}

// An entry and its time scales.
std::vector<PresetSettings> ReadEntry(yaml::MapReader& entry,
                                      const std::optional<std::string>& base,
                                      const PresetSettings& implied) {
  const bool fits = entry.Has("step") || entry.Has("max_gap");
  auto preset = base ? FindBase(*base, implied, fits) : implied;
  for (const auto& field : PresetFields()) {
    ReadField(field, entry, preset);
  }
  // What peers do together was measured at samples of 1 s; at 15 s it doubled the wrong verdicts.
  // An entry without a base stands for whatever the step wants.
  if (preset.step > 1s && (!base || !entry.Has("scatter"))) {
    preset.scatter = Scatter::kOwn;
  }
  auto presets = ReadScales(entry, preset);
  entry.RefuseUnknown();
  if (!entry.Has("scales") && (!base || HasScales(*base))) {
    return WithScales(preset);
  }
  presets.insert(presets.begin(), preset);
  return presets;
}

// The names that mean more than they did.
void NoteName(const std::string& name, const PresetSettings& implied,
              std::vector<std::string>& notes) {
  if (!HasScales(name)) {
    return;
  }
  if (IsTooFine(name, implied)) {
    notes.push_back(fmt::format("readings {:g} s apart: preset {} is {} there",
                                ToSeconds(implied.step), name, implied.name));
  }
  auto note = fmt::format(
      "preset {0} is more than it was up to version 0.1.0: balance, device_kinds, service_time, "
      "retransmissions and more belong to it; what it was is called bare{1} (docs/upgrade.md)",
      name, std::string_view(name).substr(std::string_view("default").size()));
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
    notes.push_back(std::move(note));
  }
}

}  // namespace

ChosenPresets ReadPresets(yaml::MapReader& top, const PresetSettings& implied) {
  const auto bases = BuiltInNames();
  ChosenPresets chosen;
  const auto single = top.OneOf("preset", bases);
  auto entries = top.Maps("presets");
  if (single && !entries.empty()) {
    top.Refuse("preset", "expected either preset or presets, not both");
  }
  if (single) {
    NoteName(*single, implied, chosen.notes);
    const auto preset = FindBase(*single, implied, false);
    chosen.presets = HasScales(*single) ? WithScales(preset) : std::vector{preset};
  }
  std::set<std::string> names;
  for (auto& entry : entries) {
    const auto base = entry.OneOf("base", bases);
    NoteName(base.value_or(""), implied, chosen.notes);
    auto presets = ReadEntry(entry, base, implied);
    // Two of one base clash until one is renamed: state and thresholds know presets by name.
    const auto& name = presets.front().name;
    if (name.empty() || !names.insert(name).second) {
      entry.Refuse("name", "expected a name that no other preset has, got \"" + name + "\"");
    }
    std::move(presets.begin(), presets.end(), std::back_inserter(chosen.presets));
  }
  if (!single && entries.empty()) {
    chosen.presets = WithScales(implied);
  }
  return chosen;
}

}  // namespace limpet
