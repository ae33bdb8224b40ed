// block_info.h: what a block device is, out of /sys/class/block/NAME.
//
// Names:   sysfs writes '!' for a '/' in a device name (cciss/c0d0).
// Cost:    up to ten small files a device; read rarely, never each second.
// Missing: empty strings and nullopt: many drivers tell nothing.
// Threads: as its FileReader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/files.h"

namespace limpet {

struct BlockInfo {
  std::string wwn;  // one spelling for a LUN on every server that sees it: see NormalWwn
  std::string serial;
  std::string model;
  std::optional<bool> rotational;
  std::uint64_t size = 0;      // bytes; 0: not known
  std::optional<bool> counts;  // whether the kernel counts its requests (queue/iostats)

  bool operator==(const BlockInfo&) const = default;
};

// Returns for a partition what its disk says. `sys` is rooted at /sys.
[[nodiscard]] BlockInfo ReadBlockInfo(FileReader& sys, std::string_view device);

// The kernel knows; a name does not tell (nvme0n1 is a disk, mmcblk0p1 a partition).
[[nodiscard]] bool IsPartition(FileReader& sys, std::string_view device);

// "naa.5000C500A1B2C3D4" (scsi) and "mpath-35000c500a1b2c3d4" (multipath) both are
// "0x5000c500a1b2c3d4", as in udev's ID_WWN; "eui.…", "nvme.…", "uuid.…" stay in lower case; runs
// of blanks become one.
[[nodiscard]] std::string NormalWwn(std::string_view raw);

}  // namespace limpet
