// net_dev.h: the text of /proc/net/dev taken apart.
//
// Names:   everything before the LAST colon of a line, since aliases hold colons themselves; the
//          kernel may print no blank after it ("eth0:123").
// Fields:  16 numbers; further ones are left alone.
// Damage:  what is whole is read; a line that is not is counted, and the first one described.
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

// In the order of the file.
enum NetDevField : std::size_t {
  kReceiveBytes,
  kReceivePackets,
  kReceiveErrs,
  kReceiveDrop,
  kReceiveFifo,
  kReceiveFrame,
  kReceiveCompressed,
  kReceiveMulticast,
  kTransmitBytes,
  kTransmitPackets,
  kTransmitErrs,
  kTransmitDrop,
  kTransmitFifo,
  kTransmitColls,
  kTransmitCarrier,
  kTransmitCompressed,
};
inline constexpr std::size_t kNetDevFields = 16;
using NetDevCounters = std::array<std::uint64_t, kNetDevFields>;

struct NetDevLine {
  std::string_view name;  // points into the text that was parsed
  NetDevCounters counters{};
};

struct NetDev {
  std::vector<NetDevLine> interfaces;  // in the order of the file
  std::size_t skipped = 0;
  std::string problem;  // of the first skipped line; empty when none was
};

[[nodiscard]] NetDev ParseNetDev(std::string_view text);

}  // namespace limpet
