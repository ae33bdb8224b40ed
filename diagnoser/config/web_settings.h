// web_settings.h: the key `web` of the configuration: names and addresses of what people open.
//
//   web: {allowed_hosts: [limpet.site], grafana: "https://grafana.site"}
//
// Threads: pure.
#pragma once

#include <string>
#include <vector>

#include "exporter/common/yaml.h"

namespace limpet {

struct WebSettings {
  // Names that the server is asked by beside those of the machine, as web::HostName has them.
  std::vector<std::string> allowed_hosts;
  std::string grafana;  // where our dashboards are, without a slash at its end; empty: not told
};

// Problems are added to those of `top`.
[[nodiscard]] WebSettings ReadWeb(yaml::MapReader& top);

// Returns an address that people are sent to, without slashes at its end; empty: not given.
[[nodiscard]] std::string ReadAddress(yaml::MapReader& section, const char* key);

}  // namespace limpet
