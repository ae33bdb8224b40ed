#include "diagnoser/sources/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace limpet {
namespace {

constexpr std::size_t kReadBytes = 64U << 10U;

class RealFile final : public ByteSource {
 public:
  explicit RealFile(std::string path) : path_(std::move(path)) {}
  ~RealFile() override { Close(); }
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;

  Result<void> Open() {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT(*-vararg)
    if (descriptor_ < 0) {
      const auto code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kPermission;
      return Error{code, std::strerror(errno), path_};
    }
    return {};
  }

  Result<std::string> Read() override {
    std::string bytes;
    if (ended_) {
      return bytes;
    }
    if (descriptor_ < 0) {
      if (auto opened = Open(); !opened) {
        return opened.error();
      }
    }
    bytes.resize(kReadBytes);
    ssize_t got = -1;
    // A signal (SIGHUP, a terminal's SIGWINCH) must not look like the end of the recording.
    do {
      got = ::read(descriptor_, bytes.data(), bytes.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      return Error{ErrorCode::kInternal, std::strerror(errno), path_};
    }
    bytes.resize(static_cast<std::size_t>(got));
    if (got == 0) {  // gives the descriptor back at once: thousands of files may be at their end
      ended_ = true;
      Close();
    }
    return bytes;
  }

  bool Rewind() override {
    Close();
    ended_ = false;
    return true;
  }

 private:
  void Close() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
      descriptor_ = -1;
    }
  }

  int descriptor_ = -1;
  bool ended_ = false;
  std::string path_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& path) {
  auto file = std::make_unique<RealFile>(path);
  if (auto opened = file->Open(); !opened) {
    return opened.error();
  }
  // Opened only to say at once what is wrong with it.
  (void)file->Rewind();
  return std::unique_ptr<ByteSource>(std::move(file));
}

}  // namespace limpet
