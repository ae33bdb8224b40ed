#include "exporter/common/web/target.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace limpet::web {
namespace {

std::optional<std::string> Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (text.front() != '%') {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    unsigned value = 0;
    if (text.size() < 3) {
      return std::nullopt;
    }
    const auto* last = text.data() + 3;
    const auto [end, problem] = std::from_chars(text.data() + 1, last, value, 16);
    // An encoded NUL would end the path early for whoever treats it as a C string.
    if (problem != std::errc() || end != last || value == 0) {
      return std::nullopt;
    }
    out += static_cast<char>(value);
    text.remove_prefix(3);
  }
  return out;
}

// Hands every value of `key` to `use` until that returns false.
template <class Use>
void EachValue(std::string_view query, std::string_view key, const Use& use) {
  bool more = true;
  while (more && !query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const auto equals = std::min(part.find('='), part.size());
    if (part.substr(0, equals) == key) {
      more = use(Unescape(part.substr(std::min(equals + 1, part.size()))));
    }
  }
}

}  // namespace

std::optional<Target> ParseTarget(std::string_view text) {
  const auto is_odd = [](unsigned char c) { return c <= ' ' || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_odd)) {
    return std::nullopt;
  }
  // The absolute form, which proxies send and every server must accept (RFC 9112 §3.2.2). The host
  // does not matter: we serve one.
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (text.starts_with(scheme)) {
      text.remove_prefix(scheme.size());
      const auto path = text.find_first_of("/?");
      if (path == std::string_view::npos || text[path] == '?') {
        return Target{"/",
                      path == std::string_view::npos ? "" : std::string(text.substr(path + 1))};
      }
      text.remove_prefix(path);
      break;
    }
  }
  if (!text.starts_with('/')) {
    return std::nullopt;
  }
  const auto mark = text.find('?');
  auto path = Unescape(text.substr(0, mark));
  if (!path) {
    return std::nullopt;
  }
  const auto query = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
  return Target{*std::move(path), std::string(query)};
}

std::optional<std::string> QueryValue(std::string_view query, std::string_view key) {
  std::optional<std::string> found;
  EachValue(query, key, [&](std::optional<std::string> value) {
    found = std::move(value);
    return false;
  });
  return found;
}

std::vector<std::string> QueryValues(std::string_view query, std::string_view key) {
  std::vector<std::string> found;
  EachValue(query, key, [&](std::optional<std::string> value) {
    if (value) {
      found.push_back(*std::move(value));
    }
    return true;
  });
  return found;
}

}  // namespace limpet::web
