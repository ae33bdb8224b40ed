#include "diagnoser/publish/json_lines.h"

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
  Value(key);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonLine& JsonLine::Value(std::string_view text) {
  Raw("\"");
  AppendQuoted(text);
  text_ += '"';
  return *this;
}

void JsonLine::AppendQuoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (byte < 0x20) {
      // JSON has short forms for some of these ("\n"); one form for all is easier to search for.
      text_ += "\\u00";
      text_ += kHex[byte >> 4U];
      text_ += kHex[byte & 0xfU];
    } else {
      text_ += c;
    }
  }
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
