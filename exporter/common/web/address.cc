#include "exporter/common/web/address.h"

#include <algorithm>

#include "exporter/common/text.h"

namespace limpet::web {
namespace {

constexpr std::size_t kMaxHost = 255;  // of a DNS name

Error Bad(std::string_view text, std::string_view why) {
  return {ErrorCode::kInvalid,
          std::string(why) + "; expected an address such as :9836, 127.0.0.1:9836 or [::1]:9836",
          "listen address \"" + std::string(text.substr(0, 2 * kMaxHost)) + "\""};
}

}  // namespace

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  // The last one: an IPv6 address is full of them.
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return Bad(text, "has no port");
  }
  const auto port = ParseU64(text.substr(colon + 1));
  if (!port || *port > 65535) {
    return Bad(text, "its port is not a number from 0 to 65535");
  }
  auto host = text.substr(0, colon);
  if (host.starts_with('[')) {
    if (!host.ends_with(']')) {
      return Bad(text, "its bracket is not closed before the port");
    }
    host = host.substr(1, host.size() - 2);
    if (host.find(':') == std::string_view::npos) {
      return Bad(text, "only an IPv6 address stands in brackets");
    }
  } else if (host.find(':') != std::string_view::npos) {
    // "::1:9836" could also be an address without a port.
    return Bad(text, "an IPv6 address stands in brackets");
  }
  const auto is_odd = [](unsigned char c) { return c <= ' ' || c >= 0x7f || c == '[' || c == ']'; };
  if (host.size() > kMaxHost || std::any_of(host.begin(), host.end(), is_odd)) {
    return Bad(text, "its host is neither a name nor an address");
  }
  return ListenAddress{std::string(host), static_cast<std::uint16_t>(*port)};
}

std::string FormatAddress(std::string_view host, std::uint16_t port) {
  std::string text(host);
  if (text.find(':') != std::string::npos) {
    text = "[" + text + "]";
  }
  return text + ":" + std::to_string(port);
}

}  // namespace limpet::web
