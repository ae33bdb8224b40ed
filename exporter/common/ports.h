// ports.h: which TCP ports belong to a file system.
//
// A port of the ephemeral range (Linux: 32768-60999) may also be the near end of any client, so a
// match alone does not tell a server from a client; collectors/tcp_peers.h says how that is told.
// Threads: values.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

struct PortRange {
  std::uint16_t first = 0;
  std::uint16_t last = 0;  // inclusive

  friend bool operator==(const PortRange&, const PortRange&) = default;
};

// The registered or documented default ports of the storage systems we know.
inline constexpr PortRange kFileSystemPorts[] = {
    {988, 988},      // Lustre
    {1191, 1191},    // IBM Storage Scale (GPFS)
    {2049, 2049},    // NFS
    {2379, 2380},    // etcd
    {3300, 3300},    // Ceph monitor
    {3306, 3306},    // Galera's clients
    {3334, 3334},    // OrangeFS (PVFS2)
    {4567, 4568},    // Galera
    {6200, 6200},    // Swift object server
    {6789, 6789},    // Ceph monitor, before msgr2
    {6800, 7300},    // Ceph OSD, MDS, manager
    {8003, 8008},    // BeeGFS
    {9419, 9422},    // MooseFS
    {9866, 9867},    // HDFS data node
    {24007, 24008},  // GlusterFS management
    {49152, 49251},  // GlusterFS bricks
};

// "2049" or "49152-49251"; ports are 1 to 65535.
[[nodiscard]] Result<PortRange> ParsePortRange(std::string_view text);

// Sorted, overlapping and adjacent ranges joined.
[[nodiscard]] std::vector<PortRange> Normalise(std::span<const PortRange> ranges);

class PortSet {
 public:
  explicit PortSet(std::span<const PortRange> ranges) {
    for (const auto& range : ranges) {
      for (std::uint32_t port = range.first; port <= range.last; ++port) {
        ports_.set(port);
      }
    }
  }
  [[nodiscard]] bool Contains(std::uint16_t port) const { return ports_[port]; }

 private:
  std::bitset<65536> ports_;
};

}  // namespace limpet
