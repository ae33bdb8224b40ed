// The values of preset_fields.h as text.
#include <fmt/format.h>

#include <iterator>

#include "diagnoser/detect/preset_fields.h"

namespace limpet {
namespace {

// One overload a kind of value: a kind that lacks one does not compile.
struct Printer {
  const PresetSettings& preset;

  std::string operator()(const TextField& field) const { return preset.*field.member; }
  std::string operator()(const BoolField& field) const {
    return preset.*field.member ? "true" : "false";
  }
  std::string operator()(const CountField& field) const {
    return std::to_string(preset.*field.member);
  }
  std::string operator()(const NumberField& field) const {
    return fmt::format("{}", preset.*field.member);
  }
  std::string operator()(const TimeField& field) const {
    return fmt::format("{}s", ToSeconds(preset.*field.member));
  }
  std::string operator()(const DerivedTimeField& field) const {
    return fmt::format("{}s", ToSeconds((preset.*field.effective)()));
  }
  std::string operator()(const ByMetricField& field) const {
    std::string text;
    for (const auto& [metric, value] : preset.*field.member) {
      fmt::format_to(std::back_inserter(text), "{}{}: {}", text.empty() ? "" : ", ", metric, value);
    }
    return "{" + text + "}";
  }
  std::string operator()(const ChoiceField& field) const { return field.names[field.get(preset)]; }
};

template <class Number, class Field>
std::optional<std::string> OutsideOf(const Field& field, Number value, Number min, Number max) {
  if (field.zero != nullptr && value == Number{}) {
    return std::nullopt;
  }
  const auto zero = field.zero == nullptr ? "" : fmt::format("0 ({}) or ", field.zero);
  if (!(value >= min)) {  // also NaN
    return fmt::format("expected {}at least {}, got {}", zero, min, value);
  }
  if (value > max) {
    return fmt::format("expected {}at most {}, got {}", zero, max, value);
  }
  return std::nullopt;
}

struct RangeCheck {
  const PresetSettings& preset;
  using Problem = std::optional<std::string>;

  Problem operator()(const TextField&) const { return std::nullopt; }
  Problem operator()(const BoolField&) const { return std::nullopt; }
  Problem operator()(const ChoiceField&) const { return std::nullopt; }
  Problem operator()(const CountField& field) const {
    return OutsideOf(field, preset.*field.member, static_cast<std::size_t>(field.min),
                     static_cast<std::size_t>(field.max));
  }
  Problem operator()(const NumberField& field) const {
    return OutsideOf(field, preset.*field.member, field.min, field.max);
  }
  Problem operator()(const TimeField& field) const { return Short(preset.*field.member); }
  Problem operator()(const DerivedTimeField& field) const {
    return Short((preset.*field.effective)());
  }
  Problem operator()(const ByMetricField& field) const {
    for (const auto& [metric, value] : preset.*field.member) {
      if (field.positive && !(value > 0)) {
        return fmt::format("expected a number over 0, got {} for {}", value, metric);
      }
    }
    return std::nullopt;
  }

  static Problem Short(Duration time) {
    return time < std::chrono::milliseconds(1) ? Problem("expected at least 1ms") : std::nullopt;
  }
};

// The exact forms of version 0.1.0: enumerations as numbers, times in nanoseconds, and a map as one
// part a metric, with the length of its name because a name may hold any character.
struct StateText {
  const PresetSettings& preset;
  std::string_view name;

  std::string operator()(const TextField& field) const {
    const auto& text = preset.*field.member;
    return fmt::format(";{}={}:{}", name, text.size(), text);
  }
  std::string operator()(const BoolField& field) const {
    return fmt::format(";{}={}", name, preset.*field.member ? 1 : 0);
  }
  std::string operator()(const CountField& field) const {
    return fmt::format(";{}={}", name, preset.*field.member);
  }
  std::string operator()(const NumberField& field) const {
    return fmt::format(";{}={}", name, preset.*field.member);
  }
  std::string operator()(const TimeField& field) const {
    return fmt::format(";{}={}", name, (preset.*field.member).count());
  }
  std::string operator()(const DerivedTimeField& field) const {
    return fmt::format(";{}={}", name, (preset.*field.effective)().count());
  }
  std::string operator()(const ByMetricField& field) const {
    std::string text;
    for (const auto& [metric, value] : preset.*field.member) {
      fmt::format_to(std::back_inserter(text), ";{}[{}:{}]={}", name, metric.size(), metric, value);
    }
    return text;
  }
  std::string operator()(const ChoiceField& field) const {
    return fmt::format(";{}={}", name, field.get(preset));
  }
};

}  // namespace

std::string PrintValue(const PresetField& field, const PresetSettings& preset) {
  return std::visit(Printer{preset}, field.kind);
}

std::optional<std::string> FindRangeProblem(const PresetField& field,
                                            const PresetSettings& preset) {
  return std::visit(RangeCheck{preset}, field.kind);
}

std::string DescribeForState(const PresetSettings& preset, std::span<const PresetField> fields) {
  std::string always;
  std::string changed;
  const PresetSettings unchanged;
  for (const auto& field : fields) {
    const auto name = field.state_name.empty() ? field.key : field.state_name;
    const auto text = std::visit(StateText{preset, name}, field.kind);
    if (field.state == SavedState::kDependsAlways) {
      always += text;
    } else if (field.state == SavedState::kDependsOnValue &&
               text != std::visit(StateText{unchanged, name}, field.kind)) {
      changed += text;  // behind the others, so that a new row may stand anywhere in the table
    }
  }
  return (always + changed).substr(1);  // without the first ';'
}

}  // namespace limpet
