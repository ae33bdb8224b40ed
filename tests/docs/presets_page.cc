#include "tests/docs/presets_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/preset_fields.h"

namespace limpet::testing {
namespace {

std::string JoinNames(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

template <class Number>
std::string Range(const char* zero, Number min, Number max) {
  auto text = zero == nullptr ? "" : fmt::format("0 ({}), or ", zero);
  return text + (max == std::numeric_limits<Number>::max() ? fmt::format("{} or more", min)
                                                           : fmt::format("{} to {}", min, max));
}

// What may be written, for people.
struct Values {
  std::string operator()(const TextField&) const { return "a text"; }
  std::string operator()(const BoolField&) const { return "true or false"; }
  std::string operator()(const CountField& field) const {
    return Range(field.zero, field.min, field.max);
  }
  std::string operator()(const NumberField& field) const {
    return Range(field.zero, field.min, field.max);
  }
  std::string operator()(const TimeField&) const { return "a duration from 1ms"; }
  std::string operator()(const DerivedTimeField&) const { return "a duration from 1ms"; }
  std::string operator()(const ByMetricField& field) const {
    return field.positive ? "a map of numbers over 0" : "a map of numbers";
  }
  std::string operator()(const ChoiceField& field) const { return JoinNames(field.names); }
};

// Behind the value in a YAML file: only what the value itself does not show.
std::string Comment(const PresetField& field) {
  std::string text(field.text);
  if (const auto* choice = std::get_if<ChoiceField>(&field.kind)) {
    text += ": " + JoinNames(choice->names);
  } else if (const auto* count = std::get_if<CountField>(&field.kind); count && count->zero) {
    text += fmt::format("; 0: {}", count->zero);
  } else if (const auto* number = std::get_if<NumberField>(&field.kind); number && number->zero) {
    text += fmt::format("; 0: {}", number->zero);
  }
  return text;
}

constexpr auto kNoScales =
    "# scales: [{name: fast}, {name: middle}]  # the same data over windows of 16 and 32 s as well";

std::string Yaml(const BuiltInPreset& preset) {
  auto text = fmt::format(
      "# The preset \"{0}\" with every number spelled out: copy it into your configuration under\n"
      "# `presets` and change what you need. {1}\n"
      "# Written by the target refresh_presets from diagnoser/detect/preset_fields.cc.\n"
      "presets:\n  - base: {0}\n",
      preset.settings.name, preset.text);
  for (const auto& field : PresetFields()) {
    const auto entry = fmt::format("{}: {}", field.key, PrintValue(field, preset.settings));
    fmt::format_to(std::back_inserter(text), "    {:<30}# {}\n", entry + " ", Comment(field));
  }
  return text + "    " +
         (HasScales(preset.settings.name) ? PrintScales(preset.settings) : kNoScales) + "\n";
}

// What is void when the value changes.
std::string NeededBy(const PresetField& field) {
  std::string text = field.trained == nullptr ? "" : "training";
  if (field.state != SavedState::kIndependent) {
    text += text.empty() ? "state" : ", state";
  }
  return text;
}

// Where built-in presets differ from the first: "120: default-15s, bare-15s; 60: production".
std::string Others(const PresetField& field) {
  const auto usual = PrintValue(field, BuiltInPresets().front().settings);
  std::vector<std::pair<std::string, std::string>> values;  // in the order of the presets
  for (const auto& preset : BuiltInPresets()) {
    const auto value = PrintValue(field, preset.settings);
    const auto found =
        std::ranges::find(values, value, &std::pair<std::string, std::string>::first);
    if (value != usual && found == values.end()) {
      values.emplace_back(value, preset.settings.name);
    } else if (value != usual) {
      found->second += ", " + preset.settings.name;
    }
  }
  std::string text;
  for (const auto& [value, names] : values) {
    text += (text.empty() ? "" : "; ") + value + ": " + names;
  }
  return text;
}

std::string Page() {
  std::string text =
      R"(# Preset keys

Generated from `diagnoser/detect/preset_fields.cc`; after a change there run
`cmake --build --preset dev --target refresh_presets`.

Every key of an entry of `presets` overrides its base. [config/presets](../config/presets) holds the built-in presets in full, [how it
decides](how-it-decides.md) explains what the numbers do, and [tune](tune.md) when to change them. A line has the meaning, the
values, **the value of `default`**, those of other presets, and what depends on it.
*training*: thresholds trained with another value are refused (keys of another `distance` do not count). *state*: flags and accumulators saved
with another value are dropped.

`default` and `default-15s` (with its step as far as scrapes are apart) are what runs when nothing is said. They are judged over
shorter windows as well (`scales`; `scales: []` turns that off). `bare` and `bare-15s` are what these names meant
up to version 0.1.0 ([upgrade](upgrade.md)).

)";
  for (const auto& field : PresetFields()) {
    const auto others = Others(field);
    const auto needed = NeededBy(field);
    fmt::format_to(
        std::back_inserter(text), "* `{}`: {}; {}. **{}**{}{}\n", field.key, field.text,
        std::visit(Values{}, field.kind), PrintValue(field, BuiltInPresets().front().settings),
        others.empty() ? "" : "; " + others, needed.empty() ? "" : " (*" + needed + "*)");
  }
  return text;
}

}  // namespace

std::vector<GeneratedFile> PresetFiles() {
  std::vector<GeneratedFile> files = {{"docs/presets.md", Page()}};
  for (const auto& preset : BuiltInPresets()) {
    files.push_back({"config/presets/" + preset.settings.name + ".yml", Yaml(preset)});
  }
  return files;
}

}  // namespace limpet::testing
