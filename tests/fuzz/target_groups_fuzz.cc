// Any text as a list of targets, JSON and YAML: targets that can be asked, or a reason; no crash.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "diagnoser/sources/listed_targets.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto format : {limpet::ListFormat::kJson, limpet::ListFormat::kYaml}) {
    auto groups = limpet::ParseTargetGroups(text, format, "list");
    if (!groups) {
      if (groups.error().Text().empty()) {
        std::abort();
      }
      continue;
    }
    for (const auto& target : limpet::MakeTargets(std::move(*groups), {}).targets) {
      const auto& endpoint = target.endpoint;
      if (target.node.empty() || target.node.find('/') != std::string::npos ||
          endpoint.host.empty() || endpoint.path.find_first_of(" \r\n") != std::string::npos ||
          endpoint.host.find_first_of(" \r\n/") != std::string::npos ||
          target.timeout > target.interval || target.timeout <= limpet::Duration::zero()) {
        std::abort();
      }
    }
  }
  return 0;
}
