#include "diagnoser/config/web_settings.h"

#include <algorithm>

#include "diagnoser/sources/address.h"

namespace limpet {

std::string ReadAddress(yaml::MapReader& section, const char* key) {
  auto address = section.Text(key).value_or("");
  if (const auto url = ParseUrl(address, 80); !address.empty() && !url) {
    section.Refuse(key, url.error().message);
  }
  while (address.ends_with('/')) {
    address.pop_back();
  }
  return address;
}

WebSettings ReadWeb(yaml::MapReader& top) {
  auto section = top.Map("web");
  WebSettings settings{.allowed_hosts = section.Texts("allowed_hosts"),
                       .grafana = ReadAddress(section, "grafana")};
  for (auto& host : settings.allowed_hosts) {
    // A port says nothing here: whoever asks has found the way.
    if (host.empty() || host.find_first_of(":/ ") != std::string::npos) {
      section.Refuse(
          "allowed_hosts",
          "expected names without scheme and port, such as limpet.site, got \"" + host + "\"");
    }
    std::ranges::transform(host, host.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
  }
  section.RefuseUnknown();
  return settings;
}

}  // namespace limpet
