#include "exporter/common/web/basic_auth.h"

#include <algorithm>
#include <cstdint>

#include "exporter/common/text.h"

namespace limpet::web {
namespace {

std::optional<unsigned> Digit(char c) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto at = kDigits.find(c);
  return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<unsigned>(at));
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(padding);
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const auto digit = Digit(c);
    if (!digit) {
      return std::nullopt;
    }
    bits = (bits << 6U) | *digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xffU);
    }
  }
  return out;
}

}  // namespace

std::optional<Credentials> ParseBasicAuth(std::string_view field) {
  constexpr std::string_view kScheme = "basic ";
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  if (field.size() < kScheme.size() ||
      !std::equal(kScheme.begin(), kScheme.end(), field.begin(),
                  [&](char wanted, char got) { return same(got, wanted); })) {
    return std::nullopt;
  }
  const auto text = DecodeBase64(Trim(field.substr(kScheme.size())));
  if (!text || text->find('\0') != std::string::npos) {
    return std::nullopt;
  }
  const auto colon = text->find(':');
  if (colon == std::string::npos) {
    return std::nullopt;
  }
  return Credentials{text->substr(0, colon), text->substr(colon + 1)};
}

}  // namespace limpet::web
