#include "exporter/common/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <system_error>
#include <utility>

#include "exporter/common/descriptor.h"

namespace limpet {
namespace {

Error FromErrno(int number, std::string where) {
  auto code = ErrorCode::kInternal;
  // ENODEV: a device's file in /sys that was there a moment ago.
  if (number == ENOENT || number == ENODEV || number == ENOTDIR) {
    code = ErrorCode::kNotFound;
  } else if (number == EINVAL || number == EOPNOTSUPP || number == ENODATA) {
    code = ErrorCode::kInvalid;
  } else if (number == EACCES || number == EPERM) {
    code = ErrorCode::kPermission;
  } else if (number == EIO || number == EREMOTEIO || number == ETIMEDOUT || number == ENXIO) {
    code = ErrorCode::kUnavailable;
  }
  return {code, std::generic_category().message(number), std::move(where)};
}

class RealFiles final : public FileReader {
 public:
  explicit RealFiles(std::string root) : root_(std::move(root)) {}

  Result<std::string_view> Read(std::string_view path) override {
    auto kept = kept_.find(path);
    if (kept != kept_.end() && kept->second.can_be_unlinked &&
        IsUnlinked(kept->second.descriptor.Get())) {
      kept_.erase(kept);
      kept = kept_.end();
    }
    if (kept == kept_.end()) {
      auto opened = Open(path);
      if (!opened) {
        return opened.error();
      }
      const auto kind = FileSystemOf(opened->Get());
      kept = kept_
                 .emplace(std::string(path),
                          Kept{.descriptor = *std::move(opened),
                               .can_be_unlinked = kind != PROC_SUPER_MAGIC && kind != SYSFS_MAGIC,
                               .comes_at_once = kind == SYSFS_MAGIC})
                 .first;
    }
    auto text = ReadAll(kept->second.descriptor.Get(), path, kept->second.comes_at_once);
    if (!text) {
      kept_.erase(kept);  // the device may be gone: open anew next time
    }
    return text;
  }

  Result<std::string_view> ReadOnce(std::string_view path) override {
    auto opened = Open(path);
    if (!opened) {
      return opened.error();
    }
    return ReadAll(opened->Get(), path, false);
  }

  Result<std::vector<std::string>> List(std::string_view folder) override {
    const auto path = Full(folder);
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(path.c_str()), &::closedir);
    if (!stream) {
      return FromErrno(errno, path);
    }
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(stream.get())) {
      const std::string_view name = entry->d_name;
      // readdir's order changes as entries come and go; sorted, pages and tests stay alike.
      if (name != "." && name != "..") {
        names.emplace_back(name);
      }
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  bool Exists(std::string_view path) override { return ::access(Full(path).c_str(), F_OK) == 0; }

 private:
  struct Kept {
    Descriptor descriptor;
    bool can_be_unlinked;  // a file of /proc or /sys that is gone fails instead
    bool comes_at_once;    // a file of /sys is at most a page, made by the first read
  };

  [[nodiscard]] std::string Full(std::string_view path) const {
    std::string full;
    full.reserve(root_.size() + 1 + path.size());
    return full.append(root_).append("/").append(path);
  }

  [[nodiscard]] Result<Descriptor> Open(std::string_view path) const {
    const auto full = Full(path);
    Descriptor opened(::open(full.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened.IsOpen()) {
      return FromErrno(errno, full);
    }
    return opened;
  }

  static std::int64_t FileSystemOf(int fd) {
    struct statfs status = {};
    return ::fstatfs(fd, &status) == 0 ? static_cast<std::int64_t>(status.f_type) : 0;
  }

  // A descriptor goes on reading a file that another has taken the place of (a /proc that is made
  // up, for a container for instance): counters that stand still, and jump with the next open.
  static bool IsUnlinked(int fd) {
    struct stat status = {};
    return ::fstat(fd, &status) == 0 && status.st_nlink == 0;
  }

  // Files of /proc have no size, so read until nothing comes. pread from 0 makes the kernel
  // produce the text anew. Pipes, which only tests have, cannot seek: plain read.
  Result<std::string_view> ReadAll(int fd, std::string_view path, bool comes_at_once) {
    std::size_t used = 0;
    if (buffer_.size() < 4096) {
      buffer_.resize(4096);
    }
    while (true) {
      auto got =
          ::pread(fd, buffer_.data() + used, buffer_.size() - used, static_cast<off_t>(used));
      if (got < 0 && errno == ESPIPE) {
        got = ::read(fd, buffer_.data() + used, buffer_.size() - used);
      }
      if (got < 0) {
        if (errno == EINTR) {
          continue;
        }
        return FromErrno(errno, Full(path));
      }
      if (got == 0) {
        return std::string_view(buffer_.data(), used);
      }
      used += static_cast<std::size_t>(got);
      if (comes_at_once && used < buffer_.size()) {
        return std::string_view(buffer_.data(), used);
      }
      if (used == buffer_.size()) {
        if (buffer_.size() >= kMaxFileBytes) {
          return Error{ErrorCode::kTooLarge, "expected at most 64 MiB", Full(path)};
        }
        buffer_.resize(std::min(kMaxFileBytes, buffer_.size() * 2));
      }
    }
  }

  std::string root_;
  std::string buffer_;
  std::map<std::string, Kept, std::less<>> kept_;
};

}  // namespace

std::unique_ptr<FileReader> OpenRealFiles(std::string root) {
  return std::make_unique<RealFiles>(std::move(root));
}

}  // namespace limpet
