// fuse_file.h: one file named "disk" in a FUSE mount of its own, spoken over /dev/fuse directly.
//
// Metadata requests are answered here at once; reads and writes come out as Work, to be answered
// when the caller thinks fit, in any order. Without libfuse, because an event loop that decides
// when each request completes is all this program is.
//
// Errors: the constructor throws std::system_error (needs root and /dev/fuse).
// Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace limpet::slowdisk {

struct Work {
  bool is_write = false;
  std::uint64_t unique = 0;  // the kernel's name for the request
  std::uint64_t offset = 0;  // bytes
  std::uint32_t length = 0;  // bytes
  std::vector<char> data;    // what to write; empty for a read
};

class FuseFile {
 public:
  static constexpr std::size_t kMaxTransfer = std::size_t{1} << 20;

  FuseFile(const std::string& mountpoint, std::uint64_t size);
  ~FuseFile();
  FuseFile(const FuseFile&) = delete;
  FuseFile& operator=(const FuseFile&) = delete;

  [[nodiscard]] int Descriptor() const { return fd_; }  // readable when something waits
  [[nodiscard]] bool Unmounted() const { return unmounted_; }

  // The next read or write that the kernel has waiting; nullopt when there is none.
  [[nodiscard]] std::optional<Work> Next();
  void AnswerRead(std::uint64_t unique, const char* data, std::size_t length);
  void AnswerWrite(std::uint64_t unique, std::uint32_t written);
  void AnswerError(std::uint64_t unique, int error_number);

 private:
  void Reply(std::uint64_t unique, int error_number, const void* data, std::size_t length);
  void AnswerMetadata(std::uint32_t opcode, std::uint64_t unique, std::uint64_t node,
                      const char* argument);

  int fd_ = -1;
  bool unmounted_ = false;
  std::uint64_t size_;
  std::vector<char> buffer_;
};

}  // namespace limpet::slowdisk
