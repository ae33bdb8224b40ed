#include "diagnoser/runtime/mask_file.h"

#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "diagnoser/config/masks.h"

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
  std::ifstream file(path_, std::ios::binary);
  if (!look || !file) {
    return Error{ErrorCode::kNotFound, "cannot be read", path_};
  }
  if (static_cast<std::uintmax_t>(status.st_size) > kMaxBytes) {
    return Error{ErrorCode::kTooLarge, "expected at most 16 MiB of masks", path_};
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return ParseMasks(text, path_);
}

}  // namespace limpet
