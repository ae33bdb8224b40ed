// target.h: a request's target (RFC 9112 §3.2) taken apart.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limpet::web {

struct Target {
  std::string path;   // decoded: "/metrics"
  std::string query;  // as sent, without '?'

  bool operator==(const Target&) const = default;
};

// "/a%20b?c=d" and "http://host/a%20b?c=d" → {"/a b", "c=d"}. nullopt for any other form, a '%'
// without two hexadecimal digits, a space or control character, and an encoded NUL. Dots and
// slashes are left as they are: paths are compared, never opened.
[[nodiscard]] std::optional<Target> ParseTarget(std::string_view text);

// The value of `key` in a query: "a=1&b=x%20y" has b = "x y"; the first of several. nullopt when it
// is not there or its value is not well escaped. Keys are compared as sent.
[[nodiscard]] std::optional<std::string> QueryValue(std::string_view query, std::string_view key);

// Returns all of them in their order; those that are not well escaped left out.
[[nodiscard]] std::vector<std::string> QueryValues(std::string_view query, std::string_view key);

}  // namespace limpet::web
