// probed_disk.h: a disk that blocks are read from past every cache of the kernel; nothing is ever
// written.
//
// Rights:  read access to /dev/NAME, that is group disk or CAP_DAC_READ_SEARCH, and a unit or
//          container that shows the device.
// Errors:  the device and what is missing: kNotFound (removed, hidden), kPermission, kInvalid (no
//          disk), kUnavailable (the disk failed the read).
// Threads: any, one at a time; every call may hang for as long as the disk does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::uint64_t kProbeBlock = 4096;  // bytes

class ProbedDisk {
 public:
  virtual ~ProbedDisk() = default;
  [[nodiscard]] virtual std::uint64_t Bytes() const = 0;
  // The block at `offset`, a multiple of kProbeBlock; what it holds is thrown away.
  virtual Result<void> Read(std::uint64_t offset) = 0;
};

// Opens a disk by its name in /proc/diskstats.
using OpenProbedDisk =
    std::function<Result<std::unique_ptr<ProbedDisk>>(const std::string& device)>;

// `devfs` holds the device nodes, `sysfs` says which of them are whose.
[[nodiscard]] OpenProbedDisk ProbedDisksIn(std::string devfs, std::string sysfs);

// Returns whether it can be the name of a disk: no path, at most 64 characters.
[[nodiscard]] bool IsDeviceName(std::string_view name);

}  // namespace limpet
