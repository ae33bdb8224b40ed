// The parts of parser.h that are called once a series or once a file, not once a line.
#include <algorithm>

#include "exporter/common/exposition/characters.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;

void SkipBlanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
}

bool SkipSymbol(std::string_view& rest, char c) {
  SkipBlanks(rest);
  if (!rest.starts_with(c)) {
    return false;
  }
  rest.remove_prefix(1);
  SkipBlanks(rest);
  return true;
}

// The text up to the closing quote, unescaped; nullopt when there is none or an escape is unknown.
std::optional<std::string> ReadQuoted(std::string_view& rest) {
  std::string value;
  while (true) {
    const auto plain = rest.find_first_of("\"\\\n");
    if (plain == std::string_view::npos || rest[plain] == '\n') {
      return std::nullopt;
    }
    value += rest.substr(0, plain);
    const bool quote = rest[plain] == '"';
    rest.remove_prefix(plain + 1);
    if (quote) {
      return value;
    }
    if (!rest.starts_with('\\') && !rest.starts_with('"') && !rest.starts_with('n')) {
      return std::nullopt;
    }
    value += rest[0] == 'n' ? '\n' : rest[0];
    rest.remove_prefix(1);
  }
}

Error LabelsError(std::string_view labels, std::string_view rest, std::string expected) {
  return {ErrorCode::kInvalid, "expected " + std::move(expected),
          "labels, column " + std::to_string(labels.size() - rest.size() + 1)};
}

}  // namespace

Result<LabelPairs> ParseLabels(std::string_view labels) {
  LabelPairs pairs;
  auto rest = labels;
  SkipBlanks(rest);
  while (!rest.empty()) {
    std::size_t length = 0;
    while (length < rest.size() && Is(rest[length], kLabelByte)) {
      ++length;
    }
    const auto name = rest.substr(0, length);
    if (!IsLabelName(name)) {
      return LabelsError(labels, rest, "a label name");
    }
    // A loop, not a set: there are a handful, and this runs once a series.
    for (const auto& [other, ignored] : pairs) {
      if (other == name) {
        return LabelsError(labels, rest, "each label once, found " + other + " twice");
      }
    }
    rest.remove_prefix(length);
    if (!SkipSymbol(rest, '=') || !rest.starts_with('"')) {
      return LabelsError(labels, rest, "=\"value\" after the label name " + std::string(name));
    }
    rest.remove_prefix(1);
    auto value = ReadQuoted(rest);
    if (!value || !IsUtf8(*value)) {
      return LabelsError(labels, rest, "a label value in UTF-8, escaped and quoted");
    }
    pairs.emplace_back(name, std::move(*value));
    if (!SkipSymbol(rest, ',') && !rest.empty()) {
      return LabelsError(labels, rest, ", after a label");
    }
  }
  return pairs;
}

Format SniffFormat(std::string_view page) {
  if (page.ends_with("# EOF") || page.ends_with("# EOF\n")) {
    return Format::kOpenMetrics;
  }
  // OpenMetrics reads whole milliseconds too, as seconds: only a decimal point tells them apart.
  const ParserOptions options{.format = Format::kOpenMetrics, .mode = ParseMode::kResume};
  PageParser parser(page.substr(0, kSniffedBytes), options);
  for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
    if (item.kind == ItemKind::kUnit) {
      return Format::kOpenMetrics;
    }
    if (item.kind == ItemKind::kSample && item.timestamp) {
      const char* const line = item.series.data() + item.series.size();
      const auto left = page.substr(static_cast<std::size_t>(line - page.data()));
      auto fields = left.substr(0, left.find('\n'));
      SkipBlanks(fields);
      const auto time = fields.find_first_of(kBlanks);
      return fields.find('.', time) != std::string_view::npos ? Format::kOpenMetrics
                                                              : Format::kText;
    }
  }
  return Format::kText;
}

}  // namespace limpet
