// Any text as the diagnoser's configuration: settings or a list of problems, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnoser/config/config.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = limpet::ParseDiagnoserConfig(
      text, "diagnoser.yml", [](const std::string&) { return limpet::Result<std::string>("x"); });
  if (!config) {
    return config.error().Text().empty() ? (std::abort(), 0) : 0;
  }
  for (const auto& target : config->targets) {
    if (target.node.empty() || target.timeout > target.interval) {
      std::abort();
    }
  }
  return 0;
}
