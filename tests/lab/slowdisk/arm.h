// arm.h: a modelled disk with one arm: how long a request takes, and which one comes next.
//
// A request costs a fixed overhead, its transfer time and, unless it begins where the last one
// ended, a seek (square root of the distance) and half a turn of the platter. Of the oldest
// kWindow requests the arm takes the nearest one ahead (C-LOOK, what a disk with a command queue
// does), but never leaves the oldest waiting for longer than its patience. That one follows the
// transfer speed: a disk that is slower altogether has slower queues, and one whose usual queue
// is as long as its patience tips over into serving in order of arrival, all seeks, for good.
//
// Units: offsets, lengths and positions in bytes; times as std::chrono durations.
// Threads: pure values, no clock, no I/O.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace limpet::slowdisk {

using Nanoseconds = std::chrono::nanoseconds;
using Instant = std::chrono::steady_clock::time_point;

inline constexpr std::size_t kWindow = 32;  // a disk's command queue

struct Shape {
  std::uint64_t size = 0;
  double bytes_per_second = 20e6;
  Nanoseconds shortest_seek = std::chrono::milliseconds(2);
  Nanoseconds full_seek = std::chrono::milliseconds(10);
  Nanoseconds rotation = std::chrono::milliseconds(3);
  Nanoseconds overhead = std::chrono::microseconds(100);
};

struct Request {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  Instant arrived;
  std::uint64_t tag = 0;  // the caller's; not looked at
};

// The arm's time for a request when it stands at `head`, at full speed.
[[nodiscard]] Nanoseconds ServiceTime(const Shape& shape, std::uint64_t head, std::uint64_t offset,
                                      std::uint64_t length);

// How long the oldest request waits at most: the time in which 2 MB pass, 100 ms at 20 MB/s.
[[nodiscard]] Nanoseconds Patience(const Shape& shape);

// Requests in order of arrival.
class Queue {
 public:
  explicit Queue(Nanoseconds patience) : patience_(patience) {}
  void Add(const Request& request) { waiting_.push_back(request); }
  // Removes and returns the request to serve next; nullopt when none waits.
  [[nodiscard]] std::optional<Request> Take(std::uint64_t head, Instant now);

 private:
  Nanoseconds patience_;
  std::deque<Request> waiting_;
};

}  // namespace limpet::slowdisk
