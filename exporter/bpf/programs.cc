#include "exporter/bpf/programs.h"

#include <sys/mman.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace limpet::bpf {

std::uint32_t PossibleCpus() {
  // "0-63", or "0,2-5": the last number is the highest. Those of sysconf may be fewer: CPUs that
  // are offline keep their numbers.
  std::ifstream file("/sys/devices/system/cpu/possible");
  std::string text;
  std::getline(file, text);
  const auto last = text.find_last_of(",-");
  const auto* const begin = text.data() + (last == std::string::npos ? 0 : last + 1);
  std::uint32_t highest = 0;
  std::from_chars(begin, text.data() + text.size(), highest);
  return highest + 1;
}

Result<MappedArray> MappedArray::Map(int fd, std::size_t bytes) {
  void* const address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
  if (address == MAP_FAILED) {
    return Error{ErrorCode::kInternal, "mmap: " + std::generic_category().message(errno), ""};
  }
  std::shared_ptr<const void> owner(address, [bytes](const void* mapped) {
    ::munmap(const_cast<void*>(mapped), bytes);  // NOLINT: as it came from mmap
  });
  return MappedArray(std::move(owner), {static_cast<const std::byte*>(address), bytes});
}

MappedArray MappedArray::Of(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const std::span<const std::byte> view(*owner);
  return {std::move(owner), view};
}

}  // namespace limpet::bpf
