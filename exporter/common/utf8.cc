#include "exporter/common/utf8.h"

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
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    // DEL and C0 only: the C1 controls (U+0080…) are valid UTF-8 to Prometheus.
    const bool plain = first >= 0x20 && first < 0x7F;
    const auto length = plain ? 1 : CharacterLength(text);
    if (length == 0) {
      out += "\\x";
      out += kHex[first >> 4U];
      out += kHex[first & 15U];
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace limpet
