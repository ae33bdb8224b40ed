#include "tests/lab/slowdisk/fuse_file.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <system_error>

namespace limpet::slowdisk {
namespace {

constexpr std::uint64_t kRoot = 1;
constexpr std::uint64_t kDisk = 2;
constexpr std::uint64_t kForever = 3600;  // seconds the kernel may keep an attribute
// Direct I/O keeps every request in flight until it is answered. Kernels before 6.2 ignore the
// last bit and send one write at a time.
constexpr std::uint32_t kParallelDirectWrites = 1U << 6;

template <class T>
T As(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

fuse_attr Attributes(std::uint64_t node, std::uint64_t size) {
  fuse_attr attr{};
  attr.ino = node;
  attr.mode = node == kRoot ? S_IFDIR | 0700 : S_IFREG | 0600;
  attr.nlink = 1;
  attr.size = node == kRoot ? 0 : size;
  attr.blocks = attr.size / 512;
  attr.blksize = 4096;
  return attr;
}

}  // namespace

FuseFile::FuseFile(const std::string& mountpoint, std::uint64_t size)
    : size_(size), buffer_(kMaxTransfer + 65536) {
  fd_ = ::open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) {
    throw std::system_error(errno, std::generic_category(), "/dev/fuse");
  }
  const std::string options =
      "fd=" + std::to_string(fd_) + ",rootmode=40000,user_id=0,group_id=0,allow_other";
  if (::mount("slowdisk", mountpoint.c_str(), "fuse.slowdisk", MS_NOSUID | MS_NODEV,
              options.c_str()) != 0) {
    const int error = errno;
    ::close(fd_);
    throw std::system_error(error, std::generic_category(), "mount on " + mountpoint);
  }
}

FuseFile::~FuseFile() { ::close(fd_); }

std::optional<Work> FuseFile::Next() {
  for (;;) {
    const ssize_t got = ::read(fd_, buffer_.data(), buffer_.size());
    if (got < 0) {
      if (errno == EINTR || errno == ENOENT) {  // ENOENT: the request was interrupted meanwhile
        continue;
      }
      unmounted_ = errno != EAGAIN;
      return std::nullopt;
    }
    if (static_cast<std::size_t>(got) < sizeof(fuse_in_header)) {
      continue;
    }
    const auto header = As<fuse_in_header>(buffer_.data());
    const char* argument = buffer_.data() + sizeof(fuse_in_header);
    if (header.opcode == FUSE_READ) {
      const auto in = As<fuse_read_in>(argument);
      return Work{.unique = header.unique, .offset = in.offset, .length = in.size};
    }
    if (header.opcode == FUSE_WRITE) {
      const auto in = As<fuse_write_in>(argument);
      const char* data = argument + sizeof(fuse_write_in);
      return Work{.is_write = true,
                  .unique = header.unique,
                  .offset = in.offset,
                  .length = in.size,
                  .data = std::vector<char>(data, data + in.size)};
    }
    AnswerMetadata(header.opcode, header.unique, header.nodeid, argument);
  }
}

void FuseFile::AnswerRead(std::uint64_t unique, const char* data, std::size_t length) {
  Reply(unique, 0, data, length);
}

void FuseFile::AnswerWrite(std::uint64_t unique, std::uint32_t written) {
  const fuse_write_out out{.size = written};
  Reply(unique, 0, &out, sizeof out);
}

void FuseFile::AnswerError(std::uint64_t unique, int error_number) {
  Reply(unique, error_number, nullptr, 0);
}

void FuseFile::Reply(std::uint64_t unique, int error_number, const void* data, std::size_t length) {
  fuse_out_header header{.len = static_cast<std::uint32_t>(sizeof header + length),
                         .error = -error_number,
                         .unique = unique};
  const iovec parts[] = {{&header, sizeof header}, {const_cast<void*>(data), length}};
  if (::writev(fd_, parts, length > 0 ? 2 : 1) < 0 && errno != ENOENT) {
    std::perror("slowdisk: answering the kernel");
  }
}

void FuseFile::AnswerMetadata(std::uint32_t opcode, std::uint64_t unique, std::uint64_t node,
                              const char* argument) {
  switch (opcode) {
    case FUSE_INIT: {
      const auto in = As<fuse_init_in>(argument);
      fuse_init_out out{};
      out.major = FUSE_KERNEL_VERSION;
      out.minor = FUSE_KERNEL_MINOR_VERSION;
      out.max_readahead = in.max_readahead;
      out.flags = in.flags & (FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_ASYNC_DIO | FUSE_MAX_PAGES);
      out.max_background = 256;
      out.congestion_threshold = 256;
      out.max_write = kMaxTransfer;
      out.max_pages = kMaxTransfer / 4096;
      out.time_gran = 1;
      return Reply(unique, 0, &out, sizeof out);
    }
    case FUSE_LOOKUP: {
      if (std::string_view(argument) != "disk") {
        return AnswerError(unique, ENOENT);
      }
      fuse_entry_out out{};
      out.nodeid = kDisk;
      out.entry_valid = out.attr_valid = kForever;
      out.attr = Attributes(kDisk, size_);
      return Reply(unique, 0, &out, sizeof out);
    }
    case FUSE_GETATTR:
    case FUSE_SETATTR: {
      fuse_attr_out out{};
      out.attr_valid = kForever;
      out.attr = Attributes(node, size_);
      return Reply(unique, 0, &out, sizeof out);
    }
    case FUSE_OPEN:
    case FUSE_OPENDIR: {
      fuse_open_out out{};
      if (opcode == FUSE_OPEN) {
        out.open_flags = FOPEN_DIRECT_IO | FOPEN_KEEP_CACHE | kParallelDirectWrites;
      }
      return Reply(unique, 0, &out, sizeof out);
    }
    case FUSE_STATFS: {
      fuse_statfs_out out{};
      out.st.bsize = 4096;
      out.st.namelen = 255;
      return Reply(unique, 0, &out, sizeof out);
    }
    case FUSE_READDIR:  // looks empty; "disk" is there
    case FUSE_RELEASEDIR:
    case FUSE_FSYNC:  // there is no volatile cache
    case FUSE_FLUSH:
    case FUSE_RELEASE:
    case FUSE_DESTROY:
      return Reply(unique, 0, nullptr, 0);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
      return;  // these are never answered
    default:
      return AnswerError(unique, ENOSYS);
  }
}

}  // namespace limpet::slowdisk
