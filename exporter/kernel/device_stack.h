// device_stack.h: what a network interface or a block device stands on, out of /sys.
//
// Interfaces: lower_NAME in /sys/class/net/X (of bonds, bridges, VLANs, macvlans and teams; on old
//             kernels bonding/slaves), and the port of the InfiniBand device under IPoIB.
// Disks:      slaves/ of /sys/class/block/X (device mapper, md, bcache, drbd), the whole disk of a
//             partition, and the hidden paths of an NVMe namespace (nvme0c1n1 of nvme0n1).
// Bound:      kMaxLowers of one device.
// Cost:       a folder and one to three small files a device; read rarely, never each second.
// Threads:    as its FileReader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/files.h"

namespace limpet {

struct DeviceStack {
  // Interfaces: hardware, ipoib, bond, team, bridge, vlan, macvlan, tun or virtual. Disks:
  // hardware, path, partition, multipath, dm, md, bcache, drbd, loop, memory, network, removable or
  // virtual. Empty: /sys does not know the device.
  std::string kind;
  std::vector<std::string> lowers;  // by name; empty: hardware, or nothing below

  bool operator==(const DeviceStack&) const = default;
};

inline constexpr std::size_t kMaxLowers = 64;

// `sys` is rooted at /sys.
[[nodiscard]] DeviceStack ReadInterfaceStack(FileReader& sys, std::string_view name);
[[nodiscard]] DeviceStack ReadDiskStack(FileReader& sys, std::string_view device);

}  // namespace limpet
