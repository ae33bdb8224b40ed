#include "exporter/record/recording_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
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

// So that what was made in a folder is still there after a power cut.
void SyncFolder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ::fsync(folder.Get());
}

class RealFile final : public RecordingFile {
 public:
  RealFile(std::string path, Descriptor file, bool sync)
      : path_(std::move(path)), file_(std::move(file)), sync_(sync) {}

  Result<void> Append(std::string_view bytes) override {
    if (!IsThere()) {
      return Error{ErrorCode::kNotFound, "somebody has deleted the file", path_};
    }
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
    if (sync_ && ::fdatasync(file_.Get()) != 0) {
      return Undo();
    }
    // Only what is on the disk moves the end: a retry after a failure begins at the same place.
    end_ = at;
    return {};
  }

  bool IsThere() const override {
    struct stat seen {};
    return ::fstat(file_.Get(), &seen) != 0 || seen.st_nlink > 0;
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
  bool sync_;
  off_t end_ = 0;
};

class RealFolder final : public RecordingFolder {
 public:
  RealFolder(std::string path, bool sync) : path_(std::move(path)), sync_(sync) {}

  Result<void> Prepare() override {
    constexpr mode_t kMode = 0755;
    struct stat seen {};
    if (::mkdir(path_.c_str(), kMode) == 0) {
      SyncFolder(path_ + "/..");
    } else if (errno == ENOENT) {
      return Error{ErrorCode::kNotFound,
                   "the folder above it does not exist; make it (mkdir -p) or name another one",
                   path_};
    } else if (errno != EEXIST) {
      return FromErrno(path_);
    }
    if (::stat(path_.c_str(), &seen) != 0) {
      return FromErrno(path_);
    }
    if (!S_ISDIR(seen.st_mode)) {
      return Error{ErrorCode::kInvalid, "expected a folder to write recordings into", path_};
    }
    // Said at the start, not a minute later when the first frame is due.
    if (::access(path_.c_str(), W_OK | X_OK) != 0) {
      return FromErrno(path_);
    }
    return {};
  }

  Result<std::unique_ptr<RecordingFile>> Create(const std::string& name) override {
    auto path = path_ + "/" + name;
    Descriptor file = OpenNew(path);
    if (!file.IsOpen() && errno == ENOENT) {
      // The folder went away while we were running.
      if (auto made = Prepare(); !made) {
        return made.error();
      }
      file = OpenNew(path);
    }
    if (file.IsOpen()) {
      if (sync_) {
        SyncFolder(path_);
      }
      return std::unique_ptr<RecordingFile>(
          std::make_unique<RealFile>(std::move(path), std::move(file), sync_));
    }
    if (errno == EEXIST) {
      return std::unique_ptr<RecordingFile>();
    }
    return FromErrno(path);
  }

  Result<std::vector<StoredRecording>> List() override {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path_.c_str()), &::closedir);
    if (!folder) {
      return FromErrno(path_);
    }
    std::vector<StoredRecording> files;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): of a stream that no other thread reads
    while (const auto* entry = ::readdir(folder.get())) {
      struct stat seen {};
      if (::fstatat(::dirfd(folder.get()), entry->d_name, &seen, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISREG(seen.st_mode)) {
        files.push_back({entry->d_name, static_cast<std::uint64_t>(seen.st_size)});
      }
    }
    return files;
  }

  Result<void> Remove(const std::string& name) override {
    const auto path = path_ + "/" + name;
    return ::unlink(path.c_str()) == 0 ? Result<void>() : FromErrno(path);
  }

 private:
  static Descriptor OpenNew(const std::string& path) {
    constexpr mode_t kReadableByAll = 0644;
    return Descriptor(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll));
  }

  std::string path_;
  bool sync_;
};

}  // namespace

std::unique_ptr<RecordingFolder> MakeRecordingFolder(std::string path, bool sync) {
  return std::make_unique<RealFolder>(std::move(path), sync);
}

Result<std::unique_ptr<RecordingFolder>> OpenRecordingFolder(std::string path, bool sync) {
  auto folder = MakeRecordingFolder(std::move(path), sync);
  if (auto ready = folder->Prepare(); !ready) {
    return ready.error();
  }
  return folder;
}

}  // namespace limpet
