#include "diagnoser/runtime/mask_file.h"

#include <sys/stat.h>

#include "diagnoser/config/masks.h"
#include "exporter/common/regular_file.h"

namespace limpet {

std::optional<Result<std::vector<std::string>>> MaskFile::Changed() {
  if (path_.empty()) {
    return std::nullopt;
  }
  // Inode too: editors replace the file, which may keep its size and, on coarse clocks, its time.
  struct stat status {};
  Look look;
  if (::stat(path_.c_str(), &status) == 0) {
    look = {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  }
  if (looked_ && look == last_) {
    return std::nullopt;
  }
  // Remembered before it is read: a file that cannot be used is complained of once, not every tick.
  looked_ = true;
  last_ = look;
  // A link to a device has no size and no end, and a pipe has no writer: the diagnosis thread must
  // get past both.
  const auto text = ReadRegularFile(path_, kMaxBytes);
  return text ? ParseMasks(*text, path_) : text.error();
}

}  // namespace limpet
