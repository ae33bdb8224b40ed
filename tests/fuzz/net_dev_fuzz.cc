// /proc/net/dev of anybody's making.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exporter/kernel/net_dev.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto dev = limpet::ParseNetDev(std::string_view(reinterpret_cast<const char*>(data), size));
  for (const auto& interface : dev.lines) {
    if (interface.name.empty()) {
      std::abort();
    }
  }
  return dev.problem.empty() == (dev.skipped == 0) ? 0 : (std::abort(), 0);
}
