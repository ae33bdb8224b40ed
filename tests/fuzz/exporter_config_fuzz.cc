// The exporter's configuration: whatever stands in the file, it is settings or a list of problems.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exporter/config.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto settings = limpet::ParseSettings(text, "fuzz.yml");
  if (!settings && settings.error().Text().empty()) {
    std::abort();
  }
  return 0;
}
