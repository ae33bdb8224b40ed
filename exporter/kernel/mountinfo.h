// mountinfo.h: which block device is mounted where (/proc/PID/mountinfo, proc.rst §3.5).
//
// Only mounts of block devices are kept, one of each device and source: that of the whole file
// system, else the first. Container hosts bind parts of one disk tens of thousands of times.
// Bound:   kMaxMounts; further ones are counted.
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

inline constexpr std::size_t kMaxMounts = 4096;

struct Mount {
  std::uint32_t major = 0;  // 0 for file systems over several devices (btrfs): see source
  std::uint32_t minor = 0;
  std::string root;  // the part of the file system that is mounted, "/" for all of it
  std::string mountpoint;
  std::string fstype;
  std::string source;         // "/dev/sda1"
  bool read_only = false;     // this mount, or all of the file system (after an error)
  bool is_shut_down = false;  // ext4 says so since Linux 6.15, XFS never does
};

struct MountInfo {
  std::vector<Mount> mounts;  // in the order in which their devices come first
  std::size_t left_out = 0;   // devices over the bound
};

// Lines that are not whole are left out. Octal escapes (\040) are undone.
[[nodiscard]] MountInfo ParseMountInfo(std::string_view text);

// The mount that shows the whole file system, else the first listed; nullptr when the device is
// not mounted. A mount without a device number of its own is found by its source /dev/NAME.
[[nodiscard]] const Mount* FindMount(std::span<const Mount> mounts, std::uint32_t major,
                                     std::uint32_t minor, std::string_view name);

}  // namespace limpet
