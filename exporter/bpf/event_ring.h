// event_ring.h: reads a BPF ring buffer through its mapped pages, without a system call.
//
// Layout: Documentation/bpf/ringbuf.rst: a page with the consumer's position, one with the
//         producer's, then the data twice in a row, so that no record is cut.
// Threads: one reader.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "exporter/common/result.h"

namespace limpet::bpf {

class EventRing {
 public:
  // `bytes`: of the data, a power of two. The descriptor is not needed afterwards.
  [[nodiscard]] static Result<EventRing> Map(int fd, std::size_t bytes);
  // Made for tests: `positions` are consumer and producer, `data` is twice the ring.
  EventRing(std::uint64_t* consumer, const std::uint64_t* producer, std::span<const std::byte> data,
            std::shared_ptr<const void> owner);

  // Calls `handle` with each record that is complete; its bytes are good until it returns. The
  // number of records.
  std::size_t Drain(const std::function<void(std::span<const std::byte>)>& handle);

 private:
  std::shared_ptr<const void> owner_;
  std::uint64_t* consumer_;
  const std::uint64_t* producer_;
  std::span<const std::byte> data_;
};

}  // namespace limpet::bpf
