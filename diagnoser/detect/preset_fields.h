// preset_fields.h: the one table of a preset's keys.
//
// What the configuration may say and within which bounds, what belongs to trained thresholds and to
// saved state, config/presets/*.yml and docs/presets.md all follow from a row here; how to add one
// is in docs/recipes/preset-key.md. Threads: constant after the first call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diagnoser/detect/preset.h"

namespace limpet {

// The kind of value that a key has, and its place.
struct TextField {
  std::string PresetSettings::*member;
};
struct BoolField {
  bool PresetSettings::*member;
};
// Range from min to max. With `zero`, 0 is allowed too, and `zero` is what it means ("off").
struct CountField {
  std::size_t PresetSettings::*member;
  std::int64_t min;
  std::int64_t max;
  const char* zero = nullptr;
};
struct NumberField {
  double PresetSettings::*member;
  double min;
  double max;
  const char* zero = nullptr;
};
struct TimeField {  // at least 1 ms
  Duration PresetSettings::*member;
};
// Absent in most presets: then it follows from other settings.
struct DerivedTimeField {
  std::optional<Duration> PresetSettings::*member;
  Duration (PresetSettings::*effective)() const;
};
// Numbers by metric; those of the base stay unless they are overridden.
struct ByMetricField {
  std::map<std::string, double, std::less<>> PresetSettings::*member;
  bool positive;  // 0 and less are refused
};
// An enumeration: value i is called names[i].
struct ChoiceField {
  std::vector<std::string> names;
  std::size_t (*get)(const PresetSettings& preset);
  void (*set)(PresetSettings& preset, std::size_t value);
};
using PresetFieldKind = std::variant<TextField, BoolField, CountField, NumberField, TimeField,
                                     DerivedTimeField, ByMetricField, ChoiceField>;

// Says whether saved filters and accumulators mean something under the old value only.
enum class SavedState : std::uint8_t {
  kIndependent,  // the key may be tuned without losing them
  // They belong to the value. New keys take this one: a state saved before the key existed fits
  // every preset that leaves the key at PresetSettings' own value.
  kDependsOnValue,
  // Same as kDependsOnValue, for the keys of version 0.1.0, which wrote them whatever their values.
  kDependsAlways,
};

struct PresetField {
  std::string_view key;
  PresetFieldKind kind;
  std::string_view text;  // for operators: what it does, in one line without the values
  // Returns whether trained thresholds are good with the trained value only; null: with any.
  bool (*trained)(const PresetSettings& preset) = nullptr;
  SavedState state = SavedState::kIndependent;
  std::string_view state_name = {};  // in the text that is hashed; empty: the key
};

// Returns them in the order of the files and pages.
[[nodiscard]] std::span<const PresetField> PresetFields();

// Prints the value as in YAML: "15s", "true", "kl", "{await: 5, rd_sec: 2048}".
[[nodiscard]] std::string PrintValue(const PresetField& field, const PresetSettings& preset);

// "expected at least 5, got 4"; nullopt when the value is within its bounds.
[[nodiscard]] std::optional<std::string> FindRangeProblem(const PresetField& field,
                                                          const PresetSettings& preset);

// All settings that saved state depends on, each with its name, so that no two presets look alike.
// A change of this text makes every saved state worthless.
[[nodiscard]] std::string DescribeForState(const PresetSettings& preset,
                                           std::span<const PresetField> fields = PresetFields());

}  // namespace limpet
