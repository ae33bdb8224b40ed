// The page parser against a slow one written straight from the two formats' grammars: same items,
// same lines refused. The first byte of the input chooses format and mode.
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/exposition/parser.h"
#include "exporter/common/utf8.h"
#include "tests/fuzz/number_mutator.h"

namespace limpet {
namespace {

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

bool Blank(char c) { return c == ' ' || c == '\t'; }
bool Digit(char c) { return c >= '0' && c <= '9'; }
bool NameByte(char c, bool colon) {
  return Digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (colon && c == ':');
}

// A line with a place in it; past the end there are zeros (a zero in the line is no token either).
struct Cursor {
  std::string_view line;
  std::size_t at = 0;
  [[nodiscard]] char Peek() const { return at < line.size() ? line[at] : '\0'; }
  [[nodiscard]] bool End() const { return at >= line.size(); }
  void Blanks() {
    while (!End() && Blank(Peek())) {
      ++at;
    }
  }
  std::string_view Token() {
    const auto begin = at;
    while (!End() && !Blank(Peek())) {
      ++at;
    }
    return line.substr(begin, at - begin);
  }
  std::string_view Name(bool colon) {
    const auto begin = at;
    while (!End() && NameByte(Peek(), colon) && !(at == begin && Digit(Peek()))) {
      ++at;
    }
    return line.substr(begin, at - begin);
  }
};

bool WholeName(std::string_view token) {
  Cursor cursor{token};
  return !token.empty() && cursor.Name(true) == token;
}

std::optional<double> SlowValue(std::string_view token) {
  std::string text(token);
  std::string lower;
  for (const char c : text) {
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  if (lower == "nan") {
    return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});
  }
  const bool sign = !lower.empty() && (lower[0] == '-' || lower[0] == '+');
  const auto rest = lower.substr(sign ? 1 : 0);
  if (rest == "inf" || rest == "infinity") {
    return lower[0] == '-' ? -__builtin_inf() : __builtin_inf();
  }
  // digits[.digits][e[sign]digits]
  std::size_t at = 0;
  std::size_t digits = 0;
  while (at < rest.size() && Digit(rest[at])) {
    ++at, ++digits;
  }
  if (at < rest.size() && rest[at] == '.') {
    ++at;
    while (at < rest.size() && Digit(rest[at])) {
      ++at, ++digits;
    }
  }
  if (digits == 0) {
    return std::nullopt;
  }
  if (at < rest.size() && rest[at] == 'e') {
    ++at;
    if (at < rest.size() && (rest[at] == '+' || rest[at] == '-')) {
      ++at;
    }
    const auto begin = at;
    while (at < rest.size() && Digit(rest[at])) {
      ++at;
    }
    if (at == begin) {
      return std::nullopt;
    }
  }
  if (at != rest.size()) {
    return std::nullopt;
  }
  const double value = std::strtod(text.c_str(), nullptr);
  return value == __builtin_inf() || value == -__builtin_inf() ? std::nullopt
                                                               : std::optional(value);
}

// Nanoseconds: moves the decimal point by hand, then reads an integer.
std::optional<std::int64_t> SlowSeconds(std::string_view token) {
  if (!SlowValue(token) && token.find_first_not_of("+-.0123456789eE") != std::string_view::npos) {
    return std::nullopt;
  }
  std::string text(token);
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.erase(0, 1);
  }
  long exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string::npos) {
    const auto digits = text.substr(e + 1);
    const bool sign = !digits.empty() && (digits[0] == '-' || digits[0] == '+');
    if (digits.size() == (sign ? 1U : 0U) ||
        digits.find_first_not_of("0123456789", sign ? 1 : 0) != std::string::npos) {
      return std::nullopt;
    }
    exponent = std::strtol(digits.c_str(), nullptr, 10);
    text.erase(e);
  }
  const auto point = text.find('.');
  std::string digits = text;
  auto whole = static_cast<long>(text.size());
  if (point != std::string::npos) {
    digits.erase(point, 1);
    whole = static_cast<long>(point);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  if (digits.find_first_not_of('0') == std::string::npos) {
    return 0;
  }
  exponent = exponent > 200'000 ? 200'000 : exponent < -200'000 ? -200'000 : exponent;
  const auto wanted = whole + exponent + 9;
  if (wanted <= 0) {
    return 0;
  }
  digits.resize(static_cast<std::size_t>(wanted), '0');
  digits.erase(0, digits.find_first_not_of('0'));
  __extension__ using Wide = unsigned __int128;
  Wide value = 0;
  for (const char c : digits) {
    value = value * 10 + static_cast<Wide>(c - '0');
    if (value > static_cast<Wide>(INT64_MAX)) {
      return std::nullopt;
    }
  }
  const auto nanoseconds = static_cast<std::int64_t>(value);
  return negative ? -nanoseconds : nanoseconds;
}

std::optional<std::int64_t> SlowMilliseconds(std::string_view token) {
  const bool sign = !token.empty() && (token[0] == '-' || token[0] == '+');
  const auto digits = token.substr(sign ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  // As seconds with the point moved: the same bound but for the last 854,775 nanoseconds.
  const auto nanoseconds = SlowSeconds(std::string(token) + "e-3");
  if (!nanoseconds || *nanoseconds > 9'223'372'036'854'000'000 ||
      *nanoseconds < -9'223'372'036'854'000'000) {
    return std::nullopt;
  }
  return nanoseconds;
}

PageItem SlowError() {
  PageItem item;
  item.kind = ItemKind::kError;
  return item;
}

// kEnd: nothing to hand out.
PageItem SlowComment(Cursor cursor, Format format) {
  const bool open_metrics = format == Format::kOpenMetrics;
  PageItem item;
  if (open_metrics && cursor.line.substr(cursor.at) == "# EOF") {
    item.kind = ItemKind::kEof;
    return item;
  }
  ++cursor.at;
  if (!Blank(cursor.Peek())) {
    return item;
  }
  cursor.Blanks();
  const auto word = cursor.Token();
  if (word == "HELP") {
    item.kind = ItemKind::kHelp;
  } else if (word == "TYPE") {
    item.kind = ItemKind::kType;
  } else if (word == "UNIT" && open_metrics) {
    item.kind = ItemKind::kUnit;
  } else {
    return item;
  }
  cursor.Blanks();
  item.name = cursor.Token();
  if (!WholeName(item.name)) {
    return SlowError();
  }
  cursor.Blanks();
  item.text = cursor.line.substr(cursor.at);
  if (item.kind == ItemKind::kHelp) {
    return IsUtf8(item.text) ? item : SlowError();
  }
  while (!item.text.empty() && Blank(item.text.back())) {
    item.text.remove_suffix(1);
  }
  if (item.kind == ItemKind::kType) {
    for (const auto* type : {"counter", "gauge", "histogram", "summary", "untyped", "unknown",
                             "info", "stateset", "gaugehistogram"}) {
      if (item.text == type) {
        return item;
      }
    }
    return SlowError();
  }
  return item;
}

PageItem SlowSample(Cursor cursor, const ParserOptions& options) {
  PageItem item;
  item.kind = ItemKind::kSample;
  const auto begin = cursor.at;
  item.name = cursor.Name(true);
  if (item.name.empty()) {
    return SlowError();
  }
  item.series = item.name;
  const auto name_end = cursor.at;
  cursor.Blanks();
  if (cursor.Peek() == '{') {
    const auto labels = ++cursor.at;
    std::size_t count = 0;
    cursor.Blanks();
    while (cursor.Peek() != '}') {
      if (++count > options.max_labels || cursor.Name(false).empty()) {
        return SlowError();
      }
      cursor.Blanks();
      if (cursor.Peek() != '=') {
        return SlowError();
      }
      ++cursor.at;
      cursor.Blanks();
      if (cursor.Peek() != '"') {
        return SlowError();
      }
      const auto value = ++cursor.at;
      while (cursor.Peek() != '"') {
        if (cursor.Peek() == '\\') {
          ++cursor.at;
          if (cursor.Peek() != 'n' && cursor.Peek() != '"' && cursor.Peek() != '\\') {
            return SlowError();
          }
        }
        if (cursor.End()) {
          return SlowError();
        }
        ++cursor.at;
      }
      if (!IsUtf8(cursor.line.substr(value, cursor.at - value))) {
        return SlowError();
      }
      ++cursor.at;
      cursor.Blanks();
      if (cursor.Peek() == ',') {
        ++cursor.at;
        cursor.Blanks();
      } else if (cursor.Peek() != '}') {
        return SlowError();
      }
    }
    item.labels = cursor.line.substr(labels, cursor.at - labels);
    ++cursor.at;
    item.series = cursor.line.substr(begin, cursor.at - begin);
    cursor.Blanks();
  } else if (cursor.at == name_end) {
    return SlowError();
  }
  const auto value = SlowValue(cursor.Token());
  if (!value) {
    return SlowError();
  }
  item.value = *value;
  cursor.Blanks();
  if (!cursor.End() && cursor.Peek() != '#') {
    const auto token = cursor.Token();
    const auto at = options.format == Format::kText ? SlowMilliseconds(token) : SlowSeconds(token);
    if (!at) {
      return SlowError();
    }
    item.timestamp = UnixFromNanoseconds(*at);
    cursor.Blanks();
  }
  const bool exemplar = options.format == Format::kOpenMetrics && cursor.Peek() == '#';
  return cursor.End() || exemplar ? item : SlowError();
}

// All items of a page, kEnd left out.
std::vector<PageItem> SlowParse(std::string_view page, const ParserOptions& options) {
  std::vector<PageItem> items;
  const bool strict = options.mode == ParseMode::kStrict;
  bool eof = false;
  while (!page.empty()) {
    const auto end = page.find('\n');
    const auto line = page.substr(0, end);
    if (eof) {
      items.push_back(SlowError());
      return items;
    }
    if (end == std::string_view::npos) {
      PageItem item;
      item.kind = line.size() > options.max_line                              ? ItemKind::kError
                  : !strict                                                   ? ItemKind::kCut
                  : options.format == Format::kOpenMetrics && line == "# EOF" ? ItemKind::kEof
                                                                              : ItemKind::kError;
      item.text = item.kind == ItemKind::kCut ? line : std::string_view();
      items.push_back(item);
      return items;
    }
    page.remove_prefix(end + 1);
    Cursor cursor{line};
    cursor.Blanks();
    PageItem item;
    if (line.size() > options.max_line) {
      item = SlowError();
    } else if (!cursor.End()) {
      item =
          cursor.Peek() == '#' ? SlowComment(cursor, options.format) : SlowSample(cursor, options);
    }
    if (item.kind != ItemKind::kEnd) {
      items.push_back(item);
    }
    if (strict && item.kind == ItemKind::kError) {
      return items;
    }
    eof = item.kind == ItemKind::kEof;
  }
  if (strict && options.format == Format::kOpenMetrics && !eof) {
    items.push_back(SlowError());
  }
  return items;
}

void Same(const PageItem& fast, const PageItem& slow) {
  Require(fast.kind == slow.kind);
  Require(fast.series == slow.series && fast.name == slow.name && fast.labels == slow.labels);
  Require(fast.text == slow.text && fast.timestamp == slow.timestamp);
  Require(std::bit_cast<std::uint64_t>(fast.value) == std::bit_cast<std::uint64_t>(slow.value));
}

}  // namespace
}  // namespace limpet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace limpet;
  if (size == 0) {
    return 0;
  }
  const ParserOptions options{.format = (data[0] & 1U) != 0 ? Format::kOpenMetrics : Format::kText,
                              .mode = (data[0] & 2U) != 0 ? ParseMode::kResume : ParseMode::kStrict,
                              .max_line = (data[0] & 4U) != 0 ? 64U : 64U * 1024,
                              .max_labels = (data[0] & 8U) != 0 ? 2U : 64U};
  // A copy of its own size: reading past it is found.
  const std::string page(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto expected = SlowParse(page, options);
  PageParser parser(page, options);
  for (const auto& slow : expected) {
    const auto fast = parser.Next();
    Same(fast, slow);
    if (fast.kind == ItemKind::kError) {
      Require(!parser.error().Text().empty());
    } else if (fast.kind == ItemKind::kSample) {
      const auto labels = ParseLabels(fast.labels);
      Require(labels || labels.error().Text().find("twice") != std::string::npos);
    }
  }
  Require(parser.Next().kind == ItemKind::kEnd);
  Require(parser.Next().kind == ItemKind::kEnd);
  (void)SniffFormat(page);
  (void)ParseLabels(page);
  return 0;
}
