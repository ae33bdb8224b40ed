#include "exporter/common/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace limpet {
namespace {

Error Failed(const char* what, const std::string& path) {
  return {ErrorCode::kUnavailable,
          std::string(what) + ": " + std::generic_category().message(errno), path};
}

bool WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const auto written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<void> WriteFileAtomically(const std::string& path, std::string_view content) {
  // Beside it, so that the rename stays within one file system and is atomic.
  const auto temporary = path + ".tmp";
  // What a write that was cut short left there; or what somebody else has put there, for us to
  // write through: where that cannot be removed, nothing is opened.
  ::unlink(temporary.c_str());
  const int fd =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (fd < 0) {
    return Failed("cannot create the temporary file beside it", path);
  }
  // Without fsync a crash soon after may leave the new name with no bytes behind it (ext4 delays
  // allocation).
  const bool written = WriteAll(fd, content) && ::fsync(fd) == 0;
  auto error = written ? Error{} : Failed("cannot write", path);
  ::close(fd);
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0) {
    // The rename itself is a change of the folder. When it cannot be synced the file is good all
    // the same, so that is no error.
    auto folder = std::filesystem::path(path).parent_path();
    const int folder_fd =
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd >= 0) {
      ::fsync(folder_fd);
      ::close(folder_fd);
    }
    return {};
  }
  if (written) {
    error = Failed("cannot rename the temporary file", path);
  }
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace limpet
