#include "diagnoser/detect/thresholds_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "exporter/common/time.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::size_t kLongestPlainKey = 1000;  // YAML finds a key within 1024 characters only

bool IsPlain(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto other = [](char c) {
    return (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '/';
  };
  // What YAML takes for something else than a text.
  constexpr std::array<std::string_view, 9> kWords = {"y",   "n",    "yes",   "no",  "on",
                                                      "off", "true", "false", "null"};
  if (text.empty() || !letter(text.front()) ||
      !std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || other(c); })) {
    return false;
  }
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

// A setting such as 64 or 0.25s.
bool IsPlainNumber(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' &&
         text.find_first_not_of("0123456789.ms") == std::string_view::npos;
}

std::string Key(std::string_view text) {
  auto key = YamlText(text);
  return key.size() > kLongestPlainKey ? "? " + key + "\n" : key;
}

class Writer {
 public:
  explicit Writer(std::string_view indent) : indent_(indent) {}

  template <class... Values>
  void Line(std::size_t depth, fmt::format_string<Values...> format, Values&&... values) {
    Indent(depth);
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  // "key: value", or the explicit form for a key that is too long.
  void Entry(std::size_t depth, std::string_view key, std::string_view value) {
    Indent(depth);
    text_ += Key(key);
    if (text_.back() == '\n') {
      Indent(depth);
    }
    text_ += ':';
    if (!value.empty()) {
      text_ += ' ';
      text_ += value;
    }
    text_ += '\n';
  }

  [[nodiscard]] std::string Finish() { return std::move(text_); }

 private:
  void Indent(std::size_t depth) { text_.append(indent_).append(2 * depth, ' '); }

  std::string_view indent_;
  std::string text_;
};

void WriteNumbers(Writer& out, std::size_t depth, const Thresholds::ByName<double>& numbers) {
  for (const auto& [name, number] : numbers) {
    // The shortest text that reads back as the same number.
    out.Entry(depth, name, fmt::format("{}", number));
  }
}

template <class Tree>
void WriteTree(Writer& out, std::size_t depth, const Tree& tree) {
  for (const auto& [name, child] : tree) {
    // YAML reads a key without children as null, which is no map.
    if (child.empty()) {
      continue;
    }
    out.Entry(depth, name, "");
    if constexpr (std::is_same_v<Tree, Thresholds::ByName<Thresholds::ByName<double>>>) {
      WriteNumbers(out, depth + 1, child);
    } else {
      WriteTree(out, depth + 1, child);
    }
  }
}

template <class Tree>
void WriteSection(Writer& out, const char* name, const char* why, const Tree& tree) {
  if (!tree.empty()) {
    out.Line(0, "{}:  # {}", name, why);
    WriteTree(out, 1, tree);
  }
}

std::string PresetText(const TrainedPreset& preset, std::string_view indent) {
  Writer out(indent);
  const auto& thresholds = preset.thresholds;
  out.Entry(0, "preset", YamlText(thresholds.preset));
  if (!thresholds.settings.empty()) {
    std::string settings;
    for (const auto& [key, value] : thresholds.settings) {
      settings += fmt::format("{}{}: {}", settings.empty() ? "" : ", ", YamlText(key),
                              IsPlainNumber(value) ? value : YamlText(value));
    }
    out.Line(0, "settings: {{{}}}", settings);
  }
  out.Line(0, "training: {{windows: {}, scale: {}, cap: {}, largest_distance: {}}}", preset.windows,
           preset.scale, preset.cap > 0 ? fmt::format("{}", preset.cap) : "none",
           preset.largest_distance ? fmt::format("{}", *preset.largest_distance) : "none");
  if (!preset.notes.empty()) {
    out.Line(0, "notes:");
    for (const auto& note : preset.notes) {
      out.Line(1, "- {}", YamlText(note));
    }
  }
  WriteSection(out, "thresholds", "peer group, metric, component: what its degree must exceed",
               thresholds.components);
  WriteSection(out, "cwnd", "peer group, side: f, of the peers' median logarithm", thresholds.cwnd);
  WriteSection(out, "deviant", "they differed from their peers in training: look at them first",
               preset.deviant);
  WriteSection(out, "degrees_seen", "the most that k of 2k-1 windows reached together",
               preset.degrees_seen);
  WriteSection(out, "cwnd_seen", "the least logarithm, of the median", preset.cwnd_seen);
  return out.Finish();
}

}  // namespace

std::string YamlText(std::string_view text) {
  if (IsPlain(text)) {
    return std::string(text);
  }
  const bool valid = IsUtf8(text);
  // Names come from the network; a file that cannot be read back would be worse than an odd name.
  const auto shown = valid ? std::string(text) : Printable(text);
  std::string quoted = "\"";
  for (const char c : shown) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(quoted), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string ThresholdsText(const TrainingFile& file) {
  std::string text =
      "# Thresholds trained on fault-free recordings, for limpet-diagnoser's --thresholds.\n"
      "# Numbers may be edited; docs/formats/thresholds.md says what each key means.\n"
      "version: 1\n";
  text += "trained_by: " + YamlText(file.program) + "\n";
  if (file.from && file.to) {
    text += fmt::format("time_range: {{from: \"{}\", to: \"{}\"}}\n", IsoTime(*file.from),
                        IsoTime(*file.to));
  }
  if (!file.inputs.empty()) {
    text += "inputs:\n";
    for (const auto& input : file.inputs) {
      text += "  - " + YamlText(input) + "\n";
    }
  }
  if (file.presets.size() == 1) {
    return text + PresetText(file.presets.front(), "");
  }
  if (file.presets.empty()) {
    return text;
  }
  text += "presets:\n";
  for (const auto& preset : file.presets) {
    auto one = PresetText(preset, "    ");
    // The first key of a list's map stands behind its dash.
    one[2] = '-';
    text += one;
  }
  return text;
}

}  // namespace limpet
