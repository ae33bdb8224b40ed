// address.h: "host:port" as people write it in a configuration, and the URL of a server.
//
// Threads: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "diagnoser/sources/target.h"
#include "exporter/common/result.h"

namespace limpet {

struct HostPort {
  std::string host;  // without brackets
  std::uint16_t port = 0;
};

// "io01", "io01:9836", "10.0.0.1:9836", "[fd00::1]:9836", "fd00::1"; a URL is refused.
[[nodiscard]] Result<HostPort> ParseAddress(std::string_view text, std::uint16_t default_port);

// "http://io01", "https://[fd00::1]:9837/limpet/": scheme, address and a path, which is "" when
// there is none. Names and passwords, queries and fragments are refused.
[[nodiscard]] Result<Endpoint> ParseUrl(std::string_view text, std::uint16_t default_port);

// Same as ParseUrl with the scheme's port, 80 or 443, and the path may carry a query.
[[nodiscard]] Result<Endpoint> ParseResourceUrl(std::string_view text);

// Returns whether a node may be called this: not "", no spaces or control characters, and no '/',
// which stands between node and device in the names of components.
[[nodiscard]] bool IsNodeName(std::string_view name);

// Escapes for a query: letters, digits and -._~ as they are, every other byte as %XX.
[[nodiscard]] std::string UrlEncoded(std::string_view text);

}  // namespace limpet
