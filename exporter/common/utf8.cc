#include "exporter/common/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace limpet {
namespace {

// Bytes of a run of plain ASCII, eight at a time.
std::size_t AsciiPrefix(std::string_view text) {
  std::size_t length = 0;
  for (; text.size() - length >= sizeof(std::uint64_t); length += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + length, sizeof(word));
    if ((word & 0x8080808080808080U) != 0) {
      break;
    }
  }
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0x80U) == 0) {
    ++length;
  }
  return length;
}

// Bytes of the multi-byte character that the text begins with, or 0 (Unicode, table 3-7).
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  const auto first = byte(0);
  unsigned low = 0x80;
  unsigned high = 0xBF;
  std::size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    low = first == 0xE0 ? 0xA0 : low;    // below: overlong, two bytes would do
    high = first == 0xED ? 0x9F : high;  // above: surrogates
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    low = first == 0xF0 ? 0x90 : low;
    high = first == 0xF4 ? 0x8F : high;
  }
  if (length == 0 || text.size() < length || byte(1) < low || byte(1) > high) {
    return 0;
  }
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) {
      return 0;
    }
  }
  return length;
}

bool IsPlain(char c) { return c >= 0x20 && c < 0x7F; }

void AppendHex(std::string_view bytes, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  }
}

// Marks of the direction of writing, and control characters from U+0080 on.
bool Misleads(std::string_view character) {
  const auto is_between = [&](std::string_view first, std::string_view last) {
    return character.size() == first.size() && character >= first && character <= last;
  };
  return is_between("\xC2\x80", "\xC2\x9F") || character == "\xD8\x9C" ||
         is_between("\xE2\x80\x8E", "\xE2\x80\x8F") || is_between("\xE2\x80\xAA", "\xE2\x80\xAE") ||
         is_between("\xE2\x81\xA6", "\xE2\x81\xA9");
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (true) {
    text.remove_prefix(AsciiPrefix(text));
    if (text.empty()) {
      return true;
    }
    const auto length = CharacterLength(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    // DEL and C0 only: the C1 controls (U+0080…) are valid UTF-8 to Prometheus.
    const auto length = IsPlain(text.front()) ? 1 : CharacterLength(text);
    if (length == 0) {
      AppendHex(text.substr(0, 1), out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char first = text.front();
    const auto length =
        IsPlain(first) || first == '\n' || first == '\t' ? 1 : CharacterLength(text);
    const auto character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || Misleads(character)) {
      AppendHex(character, out);
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace limpet
