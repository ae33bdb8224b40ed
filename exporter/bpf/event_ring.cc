#include "exporter/bpf/event_ring.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace limpet::bpf {
namespace {

// uapi/linux/bpf.h: the length of a record, and in front of it whether it is still being written or
// was given up.
constexpr std::uint32_t kBusy = 1U << 31U;
constexpr std::uint32_t kDiscarded = 1U << 30U;
constexpr std::size_t kHeader = 8;

struct Mapping {
  void* address = nullptr;
  std::size_t bytes = 0;
  ~Mapping() {
    if (address != nullptr) {
      ::munmap(address, bytes);
    }
  }
};

struct Mappings {
  Mapping consumer;
  Mapping producer;
};

bool MapPages(Mapping& mapping, int fd, std::size_t bytes, int protection, off_t offset) {
  void* const address = ::mmap(nullptr, bytes, protection, MAP_SHARED, fd, offset);
  if (address == MAP_FAILED) {
    return false;
  }
  mapping.address = address;
  mapping.bytes = bytes;
  return true;
}

}  // namespace

EventRing::EventRing(std::uint64_t* consumer, const std::uint64_t* producer,
                     std::span<const std::byte> data, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)), consumer_(consumer), producer_(producer), data_(data) {}

Result<EventRing> EventRing::Map(int fd, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto pages = std::make_shared<Mappings>();
  // Only the consumer's page may be written.
  if (!MapPages(pages->consumer, fd, page, PROT_READ | PROT_WRITE, 0) ||
      !MapPages(pages->producer, fd, page + 2 * bytes, PROT_READ, static_cast<off_t>(page))) {
    return Error{ErrorCode::kInternal,
                 "mmap of the event ring: " + std::generic_category().message(errno), ""};
  }
  const auto* const data = static_cast<const std::byte*>(pages->producer.address) + page;
  return EventRing(static_cast<std::uint64_t*>(pages->consumer.address),
                   static_cast<const std::uint64_t*>(pages->producer.address), {data, 2 * bytes},
                   pages);
}

std::size_t EventRing::Drain(const std::function<void(std::span<const std::byte>)>& handle) {
  std::size_t records = 0;
  const auto size = data_.size() / 2;
  std::uint64_t at = *consumer_;
  const std::uint64_t end = __atomic_load_n(producer_, __ATOMIC_ACQUIRE);
  while (at < end) {
    const auto* const record = data_.data() + at % size;
    // The kernel writes the length last, and with it everything before it.
    const auto length = __atomic_load_n(reinterpret_cast<const std::uint32_t*>(record),
                                        __ATOMIC_ACQUIRE);  // NOLINT
    if ((length & kBusy) != 0) {
      break;  // the next Drain comes to it
    }
    const auto bytes = length & ~(kBusy | kDiscarded);
    if (bytes > size) {
      break;  // no ring that the kernel writes
    }
    if ((length & kDiscarded) == 0) {
      handle({record + kHeader, bytes});
      ++records;
    }
    at += (bytes + kHeader + 7) / 8 * 8;
    __atomic_store_n(consumer_, at, __ATOMIC_RELEASE);
  }
  return records;
}

}  // namespace limpet::bpf
