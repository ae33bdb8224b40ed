// characters.h: which bytes may stand where in a metrics page, as a table.
//
// Threads: pure.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace limpet {

inline constexpr std::uint8_t kBlankByte = 1;      // space, tab
inline constexpr std::uint8_t kDigitByte = 2;      // 0-9
inline constexpr std::uint8_t kLabelByte = 4;      // a-z A-Z 0-9 _
inline constexpr std::uint8_t kNameByte = 8;       // the same and ':'
inline constexpr std::uint8_t kTokenEndByte = 16;  // space, tab, newline

inline constexpr auto kByteClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  const auto add = [&](std::string_view bytes, unsigned bits) {
    for (const char c : bytes) {
      auto& cell = classes[static_cast<unsigned char>(c)];
      cell = static_cast<std::uint8_t>(cell | bits);
    }
  };
  add(" \t", kBlankByte | kTokenEndByte);
  add("\n", kTokenEndByte);
  add("0123456789", kDigitByte | kLabelByte | kNameByte);
  add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", kLabelByte | kNameByte);
  add(":", kNameByte);
  return classes;
}();

[[nodiscard]] constexpr bool Is(char c, unsigned bits) {
  return (kByteClasses[static_cast<unsigned char>(c)] & bits) != 0;
}

// [a-zA-Z_:][a-zA-Z0-9_:]*
[[nodiscard]] constexpr bool IsMetricName(std::string_view name) {
  if (name.empty() || Is(name[0], kDigitByte)) {
    return false;
  }
  for (const char c : name) {
    if (!Is(c, kNameByte)) {
      return false;
    }
  }
  return true;
}

// [a-zA-Z_][a-zA-Z0-9_]*
[[nodiscard]] constexpr bool IsLabelName(std::string_view name) {
  return IsMetricName(name) && name.find(':') == std::string_view::npos;
}

}  // namespace limpet
