#include "exporter/common/web/basic_auth.h"

#include <openssl/evp.h>

#include <algorithm>

#include "exporter/common/text.h"

namespace limpet::web {
namespace {

std::optional<std::string> DecodeBase64(std::string_view text) {
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  // OpenSSL reads '=' as a zero wherever it stands; it may only fill up the last four.
  if (text.size() % 4 != 0 || text.substr(0, text.size() - padding).find('=') != text.npos) {
    return std::nullopt;
  }
  std::string out(text.size() / 4 * 3, '\0');
  const int length = ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                       reinterpret_cast<const unsigned char*>(text.data()),
                                       static_cast<int>(text.size()));
  // It also skips blanks and '-' at both ends, which shows in the length.
  if (length != static_cast<int>(out.size())) {
    return std::nullopt;
  }
  out.resize(out.size() - padding);
  return out;
}

}  // namespace

std::optional<Credentials> ParseBasicAuth(std::string_view field) {
  constexpr std::string_view kScheme = "basic ";
  // Schemes are compared without case (RFC 9110 §11.1), and without the locale's idea of it.
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
