#include "exporter/common/web/host_check.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "exporter/common/regular_file.h"
#include "exporter/common/text.h"

namespace limpet::web {
namespace {

constexpr std::size_t kMaxResolvConf = 64U << 10U;

bool IsAddress(const std::string& name) {
  if (name.find('\0') != std::string::npos) {
    return false;  // inet_pton would not see what follows
  }
  std::array<unsigned char, 16> ignored{};
  return ::inet_pton(AF_INET, name.c_str(), ignored.data()) == 1 ||
         ::inet_pton(AF_INET6, name.substr(0, name.find('%')).c_str(), ignored.data()) == 1;
}

}  // namespace

std::string HostName(std::string_view field) {
  if (field.starts_with('[')) {
    field = field.substr(1, field.find(']') - 1);
  } else if (std::ranges::count(field, ':') == 1) {  // several: an address without brackets
    field = field.substr(0, field.find(':'));
  }
  std::string name(field.ends_with('.') ? field.substr(0, field.size() - 1) : field);
  // Not the locale's idea of lower case.
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

// An address cannot be made to point elsewhere, so it is no way in.
bool IsAllowedHost(std::string_view field, std::span<const std::string> names) {
  const auto name = HostName(field);
  return field.empty() || name == "localhost" || name.ends_with(".localhost") || IsAddress(name) ||
         std::ranges::any_of(names,
                             [&](const std::string& one) { return one == "*" || one == name; });
}

// From the machine alone: asking a name server could delay the start, and its answer would decide
// whom we trust.
std::vector<std::string> HostNamesOf(std::string_view host, std::string_view resolv_conf) {
  const auto name = HostName(host);
  if (name.empty()) {
    return {};
  }
  const auto first = name.substr(0, name.find('.'));
  std::vector<std::string> names = {name, first};
  Lines lines(resolv_conf);
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    const auto key = fields.Next();
    if (key != "search" && key != "domain") {
      continue;
    }
    for (auto domain = fields.Next(); !domain.empty(); domain = fields.Next()) {
      if (domain != ".") {
        names.push_back(first + "." + HostName(domain));
      }
    }
  }
  return names;
}

std::vector<std::string> OwnHostNames() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) {
    return {};
  }
  return HostNamesOf(host.data(), ReadRegularFile("/etc/resolv.conf", kMaxResolvConf).value_or(""));
}

}  // namespace limpet::web
