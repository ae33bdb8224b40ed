// Any bytes as /proc/net/tcp.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exporter/kernel/net_tcp.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto result = limpet::ParseNetTcp(text, nullptr, 64);
  for (const auto& socket : result.found.sockets) {
    if (socket.local.Text().empty() || socket.remote.Text().empty()) {
      __builtin_trap();
    }
  }
  return result.found.sockets.size() <= 64 ? 0 : -1;
}
