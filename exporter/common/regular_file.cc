#include "exporter/common/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "exporter/common/descriptor.h"

namespace limpet {
namespace {

Error SystemError(const std::string& path) {
  const auto code = errno == ENOENT || errno == ENOTDIR ? ErrorCode::kNotFound
                    : errno == EACCES || errno == EPERM ? ErrorCode::kPermission
                                                        : ErrorCode::kInternal;
  return {code, std::generic_category().message(errno), path};
}

}  // namespace

Result<std::string> ReadRegularFile(const std::string& path, std::size_t max_bytes) {
  // Without O_NONBLOCK, opening a pipe waits until somebody writes to it.
  const Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // NOLINT(*-vararg)
  struct stat status {};
  if (!file.IsOpen() || ::fstat(file.Get(), &status) != 0) {
    return SystemError(path);
  }
  // Asked of the descriptor, not of the path, which may point elsewhere by now.
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorCode::kInvalid, "expected a regular file, not a folder, pipe or device",
                 path};
  }
  std::string text;
  // The size is only a hint, and 0 in /proc: what counts is where reading ends.
  std::size_t room = std::min(static_cast<std::size_t>(status.st_size), max_bytes) + 1;
  while (true) {
    const auto begin = text.size();
    text.resize(begin + room);
    const auto got = ::read(file.Get(), text.data() + begin, room);
    if (got < 0 && errno != EINTR) {
      return SystemError(path);
    }
    text.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (text.size() > max_bytes) {
      return Error{ErrorCode::kTooLarge, "expected at most " + std::to_string(max_bytes) + " bytes",
                   path};
    }
    if (got == 0) {
      return text;
    }
    room = std::min(max_bytes + 1 - text.size(), std::max<std::size_t>(room, 4096));
  }
}

}  // namespace limpet
