#include "diagnoser/sources/address.h"

#include <algorithm>
#include <cctype>

#include "diagnoser/sources/target.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

bool IsHostCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
}

// Hexadecimal digits, and letters of a zone such as %eth0.
bool IsIpv6Character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '.' || c == '%';
}

Error Expected(std::string_view text, std::string_view hint = {}) {
  return {ErrorCode::kInvalid,
          "expected an address such as io01:9836 or [fd00::1]:9836, got \"" +
              std::string(text.substr(0, 80)) + "\"" + std::string(hint),
          ""};
}

Result<Endpoint> Parse(std::string_view text, std::uint16_t default_port,
                       std::string_view refused_in_path) {
  const Error expected{ErrorCode::kInvalid,
                       "expected a URL such as http://localhost:" + std::to_string(default_port) +
                           ", got \"" + std::string(text.substr(0, 80)) + "\"",
                       ""};
  const bool https = text.starts_with("https://");
  if (!https && !text.starts_with("http://")) {
    return expected;
  }
  const auto rest = text.substr(https ? 8 : 7);
  const auto slash = std::min(rest.find('/'), rest.size());
  const auto path = rest.substr(slash);
  const auto address = ParseAddress(rest.substr(0, slash), default_port);
  // The path goes into a request line as it is: a space or line break would end it early.
  const bool is_path = std::all_of(path.begin(), path.end(), [&](unsigned char c) {
    return c > ' ' && c < 0x7f && refused_in_path.find(static_cast<char>(c)) == std::string::npos;
  });
  if (!address || !is_path) {
    return expected;
  }
  return Endpoint{
      .host = address->host, .port = address->port, .https = https, .path = std::string(path)};
}

}  // namespace

Result<HostPort> ParseAddress(std::string_view text, std::uint16_t default_port) {
  if (text.find("://") != std::string_view::npos) {
    return Expected(text, "; the scheme and the path are keys of their own: scheme, metrics_path");
  }
  if (text.starts_with(':')) {
    return Expected(text, "; the host is missing");
  }
  HostPort result{.host = {}, .port = default_port};
  std::string_view port;
  bool has_port = false;
  const auto colons = std::count(text.begin(), text.end(), ':');
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos) {
      return Expected(text);
    }
    result.host = text.substr(1, close - 1);
    const auto rest = text.substr(close + 1);
    has_port = !rest.empty();
    if (has_port && rest[0] != ':') {
      return Expected(text);
    }
    port = has_port ? rest.substr(1) : rest;
  } else if (colons == 1) {  // more of them make an IPv6 address without brackets and port
    const auto colon = text.find(':');
    result.host = text.substr(0, colon);
    port = text.substr(colon + 1);
    has_port = true;
  } else {
    result.host = text;
  }
  const bool is_ipv6 = result.host.find(':') != std::string::npos;
  // 255: the longest name that DNS has (RFC 1035 §2.3.4).
  if (result.host.empty() || result.host.size() > 255 ||
      !std::all_of(result.host.begin(), result.host.end(),
                   is_ipv6 ? IsIpv6Character : IsHostCharacter)) {
    return Expected(text);
  }
  if (has_port) {
    const auto number = ParseU64(port);
    if (!number || *number == 0 || *number > 65535) {
      return Expected(text, "; a port is a number from 1 to 65535");
    }
    result.port = static_cast<std::uint16_t>(*number);
  }
  return result;
}

Result<Endpoint> ParseUrl(std::string_view text, std::uint16_t default_port) {
  return Parse(text, default_port, "?#");
}

Result<Endpoint> ParseResourceUrl(std::string_view text) {
  return Parse(text, text.starts_with("https://") ? 443 : 80, "#");
}

bool IsNodeName(std::string_view name) {
  return !name.empty() && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c > ' ' && c != '/' && c != 0x7f; });
}

std::string UrlEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char letter : text) {
    const auto c = static_cast<unsigned char>(letter);
    // The unreserved characters of RFC 3986 §2.3; isalnum alone would follow the locale.
    if (c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '~')) {
      out += static_cast<char>(c);
    } else {
      out += {'%', kDigits[c >> 4U], kDigits[c & 15U]};
    }
  }
  return out;
}

std::string FormatUrl(const Endpoint& endpoint) {
  const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
  return std::string(endpoint.https ? "https" : "http") + "://" +
         (is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" +
         std::to_string(endpoint.port) + endpoint.path;
}

}  // namespace limpet
