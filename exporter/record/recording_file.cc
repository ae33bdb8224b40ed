#include "exporter/record/recording_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "exporter/common/descriptor.h"

namespace limpet {
namespace {

Error FromErrno(const std::string& path) {
  const int number = errno;
  auto code = ErrorCode::kInternal;
  if (number == ENOENT || number == ENOTDIR) {
    code = ErrorCode::kNotFound;
  } else if (number == EACCES || number == EPERM || number == EROFS) {
    code = ErrorCode::kPermission;
  } else if (number == ENOSPC || number == EDQUOT) {
    code = ErrorCode::kUnavailable;
  }
  return {code, std::generic_category().message(number), path};
}

class RealFile final : public RecordingFile {
 public:
  RealFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  Result<void> Append(std::string_view bytes) override {
    off_t at = end_;
    while (!bytes.empty()) {
      const auto wrote = ::pwrite(file_.Get(), bytes.data(), bytes.size(), at);
      if (wrote < 0 && errno == EINTR) {
        continue;
      }
      if (wrote <= 0) {
        return Undo();
      }
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
      at += wrote;
    }
    // On most file systems a full disk shows at the write; on NFS and with delayed allocation here.
    if (::fdatasync(file_.Get()) != 0) {
      return Undo();
    }
    // Only what is on the disk moves the end: a retry after a failure begins at the same place.
    end_ = at;
    return {};
  }

  const std::string& Path() const override { return path_; }

 private:
  Error Undo() {
    auto error = FromErrno(path_);
    // A file that cannot be cut is written over from the same place the next time.
    [[maybe_unused]] const int cut = ::ftruncate(file_.Get(), end_);
    return error;
  }

  std::string path_;
  Descriptor file_;
  off_t end_ = 0;
};

class RealFolder final : public RecordingFolder {
 public:
  explicit RealFolder(std::string path) : path_(std::move(path)) {}

  Result<std::unique_ptr<RecordingFile>> Create(const std::string& name) override {
    auto path = path_ + "/" + name;
    constexpr mode_t kReadableByAll = 0644;
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll));
    if (file.IsOpen()) {
      // So that the file is still in the folder after a power cut.
      const Descriptor folder(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      ::fsync(folder.Get());
      return std::unique_ptr<RecordingFile>(
          std::make_unique<RealFile>(std::move(path), std::move(file)));
    }
    if (errno == EEXIST) {
      return std::unique_ptr<RecordingFile>();
    }
    return FromErrno(path);
  }

 private:
  std::string path_;
};

}  // namespace

Result<std::unique_ptr<RecordingFolder>> OpenRecordingFolder(std::string path) {
  constexpr mode_t kMode = 0755;
  struct stat seen {};
  if (::mkdir(path.c_str(), kMode) != 0 && errno != EEXIST) {
    return FromErrno(path);
  }
  if (::stat(path.c_str(), &seen) != 0) {
    return FromErrno(path);
  }
  if (!S_ISDIR(seen.st_mode)) {
    return Error{ErrorCode::kInvalid, "expected a folder to write recordings into", path};
  }
  // Said at the start, not an hour later when the first frame is due.
  if (::access(path.c_str(), W_OK | X_OK) != 0) {
    return FromErrno(path);
  }
  return std::unique_ptr<RecordingFolder>(std::make_unique<RealFolder>(std::move(path)));
}

}  // namespace limpet
