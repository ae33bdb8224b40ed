#include "tests/lab/slowdisk/arm.h"

#include <algorithm>
#include <cmath>

namespace limpet::slowdisk {

Nanoseconds ServiceTime(const Shape& shape, std::uint64_t head, std::uint64_t offset,
                        std::uint64_t length) {
  const double transfer_seconds = static_cast<double>(length) / shape.bytes_per_second;
  Nanoseconds time = shape.overhead + Nanoseconds(std::llround(transfer_seconds * 1e9));
  if (offset != head) {
    const std::uint64_t bytes = offset > head ? offset - head : head - offset;
    const double stroke = static_cast<double>(bytes) / static_cast<double>(shape.size);
    const auto span = static_cast<double>((shape.full_seek - shape.shortest_seek).count());
    const Nanoseconds travel(std::llround(span * std::sqrt(std::min(stroke, 1.0))));
    time += shape.shortest_seek + travel + shape.rotation;
  }
  return time;
}

Nanoseconds Patience(const Shape& shape) {
  constexpr double kBytes = 2e6;
  return Nanoseconds(std::llround(kBytes / shape.bytes_per_second * 1e9));
}

std::optional<Request> Queue::Take(std::uint64_t head, Instant now) {
  if (waiting_.empty()) {
    return std::nullopt;
  }
  std::size_t best = 0;
  if (now - waiting_.front().arrived < patience_) {
    // Unsigned wrap-around puts what lies behind the arm after all that lies ahead.
    const auto ahead = [&](std::size_t i) { return waiting_[i].offset - head; };
    for (std::size_t i = 1; i < std::min(kWindow, waiting_.size()); ++i) {
      if (ahead(i) < ahead(best)) {
        best = i;
      }
    }
  }
  const Request taken = waiting_[best];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(best));
  return taken;
}

}  // namespace limpet::slowdisk
