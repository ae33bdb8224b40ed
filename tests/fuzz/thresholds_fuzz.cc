#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnoser/detect/thresholds.h"
#include "diagnoser/detect/thresholds_text.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto thresholds =
      limpet::ParseThresholds({reinterpret_cast<const char*>(data), size}, "t.yml");
  if (!thresholds) {
    return 0;
  }
  limpet::TrainingFile file{.program = "p", .inputs = {}, .presets = {}};
  for (const auto& one : *thresholds) {
    for (const auto& [group, metrics] : one.components) {
      for (const auto& [metric, components] : metrics) {
        const auto value = one.Find(group, metric, "unknown");
        if (value && !(std::isfinite(*value) && *value > 0)) {
          std::abort();
        }
      }
    }
    (void)limpet::OtherSettings(one, limpet::TestbenchPreset());
    file.presets.push_back({.thresholds = one});
  }
  // What training writes is read back as it was.
  const auto again = limpet::ParseThresholds(limpet::ThresholdsText(file), "again.yml");
  if (!again || *again != *thresholds) {
    std::abort();
  }
  return 0;
}
