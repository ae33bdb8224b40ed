// basic_auth.h: the Authorization field of basic authentication (RFC 7617).
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace limpet::web {

struct Credentials {
  std::string user;
  std::string password;

  bool operator==(const Credentials&) const = default;
};

// "Basic dXNlcjpzZWNyZXQ=" → {"user", "secret"}. The password may hold colons. nullopt for another
// scheme, wrong base64, no colon, or a NUL (bcrypt would stop there).
[[nodiscard]] std::optional<Credentials> ParseBasicAuth(std::string_view field);

}  // namespace limpet::web
