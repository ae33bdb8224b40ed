#include "diagnoser/publish/json_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

namespace limpet {
namespace {

// The shortest text that reads back as `number`, as to_chars prints it.
// The longest is a double of 24 characters, -2.2250738585072014e-308: 32 always suffice.
template <class Number>
std::string_view Print(Number number, std::array<char, 32>& buffer) {
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

// By byte: whether JSON wants it escaped within a string.
constexpr auto kEscaped = [] {
  std::array<bool, 256> escaped = {};
  std::fill_n(escaped.begin(), 0x20, true);
  escaped['"'] = escaped['\\'] = true;
  return escaped;
}();

}  // namespace

JsonLine& JsonLine::Open(char bracket) {
  Raw({&bracket, 1});
  needs_comma_ = false;
  return *this;
}

JsonLine& JsonLine::Close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonLine& JsonLine::Raw(std::string_view text) {
  if (needs_comma_) {
    text_ += ',';
  }
  text_ += text;
  needs_comma_ = true;
  return *this;
}

JsonLine& JsonLine::Key(std::string_view key) {
  AppendQuoted(key, "\":");
  needs_comma_ = false;
  return *this;
}

JsonLine& JsonLine::Value(std::string_view text) {
  AppendQuoted(text, "\"");
  needs_comma_ = true;
  return *this;
}

// Most of an event is names, and nearly no name has anything to escape: those are copied in one
// piece.
void JsonLine::AppendQuoted(std::string_view text, std::string_view closing) {
  text_ += needs_comma_ ? std::string_view(",\"") : std::string_view("\"");
  while (true) {
    std::size_t plain = 0;
    while (plain < text.size() && !kEscaped[static_cast<unsigned char>(text[plain])]) {
      ++plain;
    }
    text_ += text.substr(0, plain);
    if (plain == text.size()) {
      break;
    }
    AppendEscaped(text[plain]);
    text.remove_prefix(plain + 1);
  }
  text_ += closing;
}

void JsonLine::AppendEscaped(char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  text_ += '\\';
  if (byte >= 0x20) {
    text_ += c;
    return;
  }
  // JSON has short forms for some of these ("\n"); one form for all is easier to search for.
  text_ += "u00";
  text_ += kHex[byte >> 4U];
  text_ += kHex[byte & 0xfU];
}

JsonLine& JsonLine::Value(double value) {
  // JSON has no word for infinity and NaN; events have neither (verdict/events.h), but a reader
  // must not fail over a whole line if one ever does.
  if (!std::isfinite(value)) {
    return Raw("null");
  }
  std::array<char, 32> buffer;
  return Raw(Print(value, buffer));
}

JsonLine& JsonLine::Value(std::uint64_t value) {
  std::array<char, 32> buffer;
  return Raw(Print(value, buffer));
}

JsonLine& JsonLine::Value(UnixTime at) {
  std::array<char, 32> buffer;
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  Raw(Print(whole.time_since_epoch().count(), buffer));
  // Not by way of a double, which is good to 2.4e-7 s today: the digits after the point are those
  // of the nanoseconds, found by writing a 1 before them that keeps their leading zeros.
  if (const auto rest = (at - whole).count(); rest != 0) {
    auto digits = Print(1'000'000'000 + rest, buffer);
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    text_ += '.';
    text_ += digits.substr(1);
  }
  return *this;
}

std::string JsonLine::Finish() {
  text_ += "}\n";
  return std::move(text_);
}

}  // namespace limpet
