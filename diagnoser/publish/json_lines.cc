#include "diagnoser/publish/json_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

namespace limpet {
namespace {

// The longest number is a double of 24 characters, -2.2250738585072014e-308.
constexpr std::size_t kNumberRoom = 32;
// Below it a whole number is shorter in digits than with an exponent.
constexpr double kPlainWhole = 1e5;

// By byte: whether JSON wants it escaped within a string.
constexpr auto kEscaped = [] {
  std::array<bool, 256> escaped = {};
  std::fill_n(escaped.begin(), 0x20, true);
  escaped['"'] = escaped['\\'] = true;
  return escaped;
}();

constexpr std::uint64_t kEveryByte = 0x0101010101010101U;
constexpr std::uint64_t kHighBits = 0x8080808080808080U;

// Not 0 when one of eight bytes is a quote, a backslash or below 0x20, or may be: a byte over 127
// is looked at more closely.
std::uint64_t MayNeedEscapes(std::uint64_t word) {
  const auto below = [](std::uint64_t bytes, unsigned bound) {
    return (bytes - kEveryByte * bound) & ~bytes & kHighBits;
  };
  return below(word, 0x20) | below(word ^ (kEveryByte * '"'), 1) |
         below(word ^ (kEveryByte * '\\'), 1) | (word & kHighBits);
}

// How many bytes at the front of `text` are copied as they are.
std::size_t PlainPrefix(std::string_view text) {
  std::size_t at = 0;
  std::uint64_t word = 0;
  for (; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if (MayNeedEscapes(word) != 0) {
      break;
    }
  }
  while (at < text.size() && !kEscaped[static_cast<unsigned char>(text[at])]) {
    ++at;
  }
  return at;
}

}  // namespace

void JsonLine::AppendComma() {
  if (needs_comma_) {
    Append(",");
  }
  needs_comma_ = true;
}

// The shortest text that reads back as `number`.
template <class Number>
void JsonLine::AppendNumber(Number number) {
  char* const begin = Room(kNumberRoom);
  size_ += static_cast<std::size_t>(std::to_chars(begin, begin + kNumberRoom, number).ptr - begin);
}

JsonLine& JsonLine::Open(char bracket) {
  Raw({&bracket, 1});
  needs_comma_ = false;
  return *this;
}

JsonLine& JsonLine::Close(char bracket) {
  Append({&bracket, 1});
  needs_comma_ = true;
  return *this;
}

JsonLine& JsonLine::Raw(std::string_view text) {
  AppendComma();
  Append(text);
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
  Append(needs_comma_ ? std::string_view(",\"") : std::string_view("\""));
  while (true) {
    const auto plain = PlainPrefix(text);
    Append(text.substr(0, plain));
    if (plain == text.size()) {
      break;
    }
    AppendEscaped(text[plain]);
    text.remove_prefix(plain + 1);
  }
  Append(closing);
}

void JsonLine::AppendEscaped(char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20) {
    Append("\\");
    Append({&c, 1});
    return;
  }
  // JSON has short forms for some of these ("\n"); one form for all is easier to search for.
  Append("\\u00");
  Append(kHex.substr(byte >> 4U, 1));
  Append(kHex.substr(byte & 0xfU, 1));
}

JsonLine& JsonLine::Value(double value) {
  // JSON has no word for infinity and NaN; events have neither (verdict/events.h), but a reader
  // must not fail over a whole line if one ever does.
  if (!std::isfinite(value)) {
    return Raw("null");
  }
  AppendComma();
  // Half of an event's numbers are small and whole; minus zero is not.
  if (std::abs(value) < kPlainWhole) {
    const auto whole = static_cast<std::int32_t>(value);
    if (static_cast<double>(whole) == value && (whole != 0 || !std::signbit(value))) {
      AppendNumber(whole);
      return *this;
    }
  }
  AppendNumber(value);
  return *this;
}

JsonLine& JsonLine::Value(std::uint64_t value) {
  AppendComma();
  AppendNumber(value);
  return *this;
}

JsonLine& JsonLine::Value(UnixTime at) {
  AppendComma();
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  AppendNumber(whole.time_since_epoch().count());
  // Not by way of a double, which is good to 2.4e-7 s today: the digits after the point are those
  // of the nanoseconds, found by writing a 1 before them that keeps their leading zeros.
  if (const auto rest = (at - whole).count(); rest != 0) {
    const auto point = size_;
    AppendNumber(1'000'000'000 + rest);
    text_[point] = '.';
    while (text_[size_ - 1] == '0') {
      --size_;
    }
  }
  return *this;
}

std::string JsonLine::Finish() {
  Append("}\n");
  text_.resize(size_);
  size_ = 0;
  return std::move(text_);
}

}  // namespace limpet
