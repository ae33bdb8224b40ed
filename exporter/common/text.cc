#include "exporter/common/text.h"

#include <system_error>

namespace limpet {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

template <class Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return value;
}

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Length of the UTF-8 sequence at the start of `text` as RFC 3629 allows it, 0 when there is none.
std::size_t Utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return follows(1) ? 2 : 0;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    const bool second = follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second = follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string Printable(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto length = Utf8Length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || first < 0x20 || first == 0x7F) {
      out += "\\x";
      out += kHex[first >> 4U];
      out += kHex[first & 15U];
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<std::uint64_t> ParseU64(std::string_view text) {
  return ParseWhole<std::uint64_t>(text);
}

std::optional<std::int64_t> ParseI64(std::string_view text) {
  return ParseWhole<std::int64_t>(text);
}

std::optional<double> ParseDouble(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  return ParseWhole<double>(text);
}

// Byte loops: find_first_of with a set calls memchr for every byte, and this is the inner loop of
// reading /proc.
std::string_view Fields::Next() {
  std::size_t first = 0;
  while (first < rest_.size() && IsBlank(rest_[first])) {
    ++first;
  }
  std::size_t end = first;
  while (end < rest_.size() && !IsBlank(rest_[end])) {
    ++end;
  }
  const auto field = rest_.substr(first, end - first);
  rest_.remove_prefix(end);
  return field;
}

std::optional<std::string_view> Lines::Next() {
  if (rest_.empty()) {
    return std::nullopt;
  }
  const auto length = rest_.find('\n');
  const auto line = rest_.substr(0, length);
  rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
  return line;
}

}  // namespace limpet
