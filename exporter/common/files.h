// files.h: reading small files below a root, the only way the collectors see /proc and /sys.
//
// Bound:   a file over kMaxFileBytes is an error (kTooLarge), so that a strange mount cannot eat
//          the memory.
// Errors:  kNotFound, kPermission, kTooLarge, kUnavailable (the device behind it failed),
// kInternal;
//          kInvalid where the kernel has no value (the speed of a link that is down); `where` is
//          the path as opened.
// Threads: a FileReader belongs to one thread at a time; each collector has its own, so one that
//          hangs in read(2) holds nothing the others need.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::size_t kMaxFileBytes = 64U << 20U;

// Returns whether something is there that could not be read.
[[nodiscard]] inline bool IsUnreadable(const Error& error) {
  return error.code != ErrorCode::kNotFound && error.code != ErrorCode::kInvalid;
}

class FileReader {
 public:
  virtual ~FileReader() = default;

  // The whole file, read once. The view is valid until the next call on this object.
  // A path read often keeps its descriptor (pread from 0): half the cost of open+read+close.
  [[nodiscard]] virtual Result<std::string_view> Read(std::string_view path) = 0;
  // Does as Read, but the descriptor is not kept: for files that are read now and then.
  [[nodiscard]] virtual Result<std::string_view> ReadOnce(std::string_view path) = 0;
  // Names in a folder, sorted, without "." and "..".
  [[nodiscard]] virtual Result<std::vector<std::string>> List(std::string_view folder) = 0;
  [[nodiscard]] virtual bool Exists(std::string_view path) = 0;
};

// The real file system below `root` ("/proc", "/sys", or a captured tree in a test).
[[nodiscard]] std::unique_ptr<FileReader> OpenRealFiles(std::string root);

}  // namespace limpet
