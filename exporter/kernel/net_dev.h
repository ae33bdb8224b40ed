// net_dev.h: the text of /proc/net/dev taken apart.
//
// Names:   everything before the LAST colon of a line, since aliases hold colons themselves; the
//          kernel may print no blank after it ("eth0:123").
// Fields:  16 numbers; further ones are left alone.
// Damage:  as in device_lines.h.
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exporter/kernel/device_lines.h"

namespace limpet {

// Fields in the order of the file.
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

using NetDev = DeviceLines<NetDevLine>;

[[nodiscard]] NetDev ParseNetDev(std::string_view text);

}  // namespace limpet
