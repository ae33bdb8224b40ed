// disk_uses.h: what the file systems on a disk, and on the layers over it, are for.
//
// What is mounted is known of whole disks and of partitions (disk_kinds.h: the mount labels); what
// stands on what by limpet-exporter alone. Swap and unmounted volumes say nothing.
// Threads: pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/mapping/directory.h"

namespace limpet {

// The label for where the first file system is that is not the system's (kMountedLabel has the
// system's first).
inline constexpr std::string_view kDataMountedLabel = "data_mounted";

// The label for the name of a volume at the device mapper: "vg0-root" of /dev/mapper/vg0-root.
inline constexpr std::string_view kMapperLabel = "mapper";

struct DiskUse {
  bool system = false;  // some of it: /, /boot, swap and the like
  bool data = false;    // some of it
  bool operator==(const DiskUse&) const = default;
};

// Returns the uses of these disks of one server, by place in `numbers`, which holds its layers too.
[[nodiscard]] std::vector<DiskUse> FindDiskUses(std::span<const Entity> disks,
                                                std::span<const std::uint32_t> numbers);

}  // namespace limpet
