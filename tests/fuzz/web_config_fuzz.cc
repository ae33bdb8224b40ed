// Any text as a web configuration: a value or problems that name the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exporter/common/web/web_config.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = limpet::web::ParseWebConfig(text, "web.yml");
  if (!config && config.error().Text().find("web.yml") == std::string::npos) {
    std::abort();
  }
  if (config && config->tls && (config->tls->cert_file.empty() || config->tls->key_file.empty())) {
    std::abort();
  }
  return 0;
}
