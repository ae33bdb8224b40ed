#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnoser/detect/thresholds.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto thresholds =
      limpet::ParseThresholds({reinterpret_cast<const char*>(data), size}, "t.yml");
  if (thresholds) {
    for (const auto& [group, metrics] : thresholds->components) {
      for (const auto& [metric, components] : metrics) {
        const auto value = thresholds->Find(group, metric, "unknown");
        if (value && !(std::isfinite(*value) && *value > 0)) {
          std::abort();
        }
      }
    }
  }
  return 0;
}
