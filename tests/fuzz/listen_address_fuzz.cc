// Any text as a listen address: what is accepted survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exporter/common/web/address.h"
#include "exporter/common/web/target.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto address = limpet::web::ParseListenAddress(text)) {
    const auto again =
        limpet::web::ParseListenAddress(limpet::web::FormatAddress(address->host, address->port));
    if (!again || *again != *address) {
      std::abort();
    }
  }
  const auto target = limpet::web::ParseTarget(text);
  if (target && (target->path.empty() || target->path.front() != '/' ||
                 target->path.find('\0') != std::string::npos)) {
    std::abort();
  }
  return 0;
}
