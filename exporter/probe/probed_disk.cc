#include "exporter/probe/probed_disk.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "exporter/common/files.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

std::string Reason(int number) { return std::generic_category().message(number); }

Error Explain(int number, const std::string& node) {
  switch (number) {
    case EACCES:
      return {ErrorCode::kPermission,
              "permission denied; a probe needs read access: the group that the file belongs to "
              "(SupplementaryGroups=disk), or CAP_DAC_READ_SEARCH",
              node};
    case EPERM:
      return {ErrorCode::kPermission,
              "the device controller refuses; a probe needs DeviceAllow=block-* r in the unit, or "
              "--device in the container",
              node};
    case ENOENT:
      return {ErrorCode::kNotFound,
              "no such file, although the kernel has the disk; a probe needs PrivateDevices=no in "
              "the unit, or the container's own /dev with it (paths.devfs)",
              node};
    case ENXIO:
    case ENODEV:
    case ENOMEDIUM:
      return {ErrorCode::kNotFound, Reason(number) + "; was the disk removed?", node};
    case EINVAL:
      return {ErrorCode::kInvalid, "the disk does not read single blocks of 4 KiB past the cache",
              node};
    default:
      return {ErrorCode::kUnavailable, Reason(number), node};
  }
}

class BlockDevice final : public ProbedDisk {
 public:
  BlockDevice(int file, std::uint64_t bytes, std::string node)
      : file_(file), bytes_(bytes), node_(std::move(node)) {}
  ~BlockDevice() override { ::close(file_); }
  BlockDevice(const BlockDevice&) = delete;
  BlockDevice& operator=(const BlockDevice&) = delete;

  [[nodiscard]] std::uint64_t Bytes() const override { return bytes_; }

  Result<void> Read(std::uint64_t offset) override {
    ssize_t got = -1;
    do {
      got = ::pread(file_, block_.bytes.data(), block_.bytes.size(), static_cast<off_t>(offset));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      return Explain(errno, node_);
    }
    // The size was known when the disk was opened, so only one that shrinks ends early.
    if (static_cast<std::size_t>(got) != block_.bytes.size()) {
      return Error{ErrorCode::kNotFound, "a block ended early; was the disk removed?", node_};
    }
    return {};
  }

 private:
  // Reads past the cache go straight into it, so it is aligned as the disk's blocks are.
  struct alignas(kProbeBlock) Block {
    std::array<char, kProbeBlock> bytes{};
  };

  int file_;
  std::uint64_t bytes_;
  std::string node_;
  Block block_;
};

// "8:16" of /sys/class/block/sdb/dev.
std::optional<dev_t> ParseNumber(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const auto major = ParseU64(text.substr(0, colon));
  const auto minor = ParseU64(text.substr(colon + 1));
  return major && minor
             ? std::optional(makedev(static_cast<unsigned>(*major), static_cast<unsigned>(*minor)))
             : std::nullopt;
}

// A file of another device under this name, or no device at all, must not be read.
Result<std::uint64_t> CheckedSize(int file, dev_t expected, const std::string& node) {
  struct stat found {};
  if (::fstat(file, &found) != 0) {
    return Explain(errno, node);
  }
  if (!S_ISBLK(found.st_mode) || found.st_rdev != expected) {
    return Error{ErrorCode::kInvalid,
                 "expected block device " + std::to_string(major(expected)) + ":" +
                     std::to_string(minor(expected)) + ", which the kernel has under this name",
                 node};
  }
  std::uint64_t bytes = 0;
  if (::ioctl(file, BLKGETSIZE64, &bytes) != 0) {
    return Explain(errno, node);
  }
  if (bytes < kProbeBlock) {
    return Error{ErrorCode::kNotFound, "the disk is empty; was it removed?", node};
  }
  return bytes;
}

Result<std::unique_ptr<ProbedDisk>> Open(const std::string& devfs, const std::string& sysfs,
                                         const std::string& device) {
  const auto files = OpenRealFiles(sysfs);
  const auto said = files->ReadOnce("class/block/" + device + "/dev");
  const auto number = said ? ParseNumber(Trim(*said)) : std::nullopt;
  if (!number) {
    return Error{ErrorCode::kNotFound, "the kernel has no such disk; was it removed?", device};
  }
  auto node = devfs + "/" + device;
  // "cciss!c0d0" is the kernel's way to write /dev/cciss/c0d0.
  std::replace(node.begin() + static_cast<std::ptrdiff_t>(devfs.size()), node.end(), '!', '/');
  const int file = ::open(node.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOCTTY);
  if (file < 0) {
    return Explain(errno, node);
  }
  const auto bytes = CheckedSize(file, *number, node);
  if (!bytes) {
    ::close(file);
    return bytes.error();
  }
  return std::unique_ptr<ProbedDisk>(std::make_unique<BlockDevice>(file, *bytes, std::move(node)));
}

}  // namespace

OpenProbedDisk ProbedDisksIn(std::string devfs, std::string sysfs) {
  return [devfs = std::move(devfs), sysfs = std::move(sysfs)](const std::string& device) {
    return Open(devfs, sysfs, device);
  };
}

bool IsDeviceName(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '!';
         });
}

}  // namespace limpet
