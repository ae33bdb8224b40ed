#include "diagnoser/runtime/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace limpet {

Result<void> EventFile::Write(std::string_view lines) {
  if (path_.empty() || lines.empty()) {
    return {};
  }
  if (fd_ < 0) {
    // A descriptor of our own, so that Close does not close standard error. O_APPEND: a rotated
    // file may be written to by two of us for a moment, line by line.
    // O_NOFOLLOW: whoever may write to the folder chooses no other file; /dev/stdout is a link.
    const int follow = path_.starts_with("/dev/") ? 0 : O_NOFOLLOW;
    fd_ = path_ == "stderr"
              ? ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
              : ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | follow, 0644);
  }
  while (fd_ >= 0 && !lines.empty()) {
    const auto written = ::write(fd_, lines.data(), lines.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      break;
    }
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
  if (!lines.empty()) {
    // Closed, so that the next Write opens it again: the disk may have been replaced meanwhile.
    const auto why = errno == ELOOP
                         ? std::string("it is a symbolic link; expected a file, or none yet")
                         : std::generic_category().message(errno);
    Error error{ErrorCode::kUnavailable, "cannot write the event log: " + why, path_};
    Close();
    return error;
  }
  return {};
}

void EventFile::Reopen(std::string path) {
  Close();
  path_ = std::move(path);
}

void EventFile::Close() {
  if (fd_ >= 0) {
    ::close(fd_);
    fd_ = -1;
  }
}

}  // namespace limpet
