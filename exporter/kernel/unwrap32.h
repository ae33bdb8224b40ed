// unwrap32.h: a counter the kernel prints with 32 bits, continued in 64.
//
// /proc/diskstats prints its milliseconds as unsigned int on every kernel: at a queue depth of 32
// the weighted one wraps after 1.6 days.
// Wrap or fall: a new reading up to 2^31 ahead (modulo 2^32) is progress; more than that is taken
//          as a small step back, which some kernels show, and not as 49 days of work. A counter
//          that began again (a new device of the same name) is for the caller to recognise by the
//          64-bit counters beside it, and to start anew.
// Limits:  readings must be less than 24.8 days of counting apart. A total cannot remember wraps
//          from before its first reading.
// Threads: a value.
#pragma once

#include <cstdint>

namespace limpet {

class Unwrap32 {
 public:
  explicit Unwrap32(std::uint64_t first = 0) : total_(first), last_(first) {}

  // False when the counter stepped back: the total then stays as it is and counting goes on from
  // the new reading. Readings of 2^32 and above are from a kernel with wider counters.
  bool Update(std::uint64_t now) {
    const bool wide = now > UINT32_MAX || last_ > UINT32_MAX;
    const auto step =
        wide ? now - last_ : static_cast<std::uint64_t>(static_cast<std::uint32_t>(now - last_));
    const std::uint64_t half = wide ? std::uint64_t{1} << 63U : std::uint64_t{1} << 31U;
    last_ = now;
    if (step >= half || step > UINT64_MAX - total_) {
      return false;
    }
    total_ += step;
    return true;
  }

  // Returns the total in the counter's own unit, starting with the first reading.
  [[nodiscard]] std::uint64_t Total() const { return total_; }

 private:
  std::uint64_t total_;
  std::uint64_t last_;
};

}  // namespace limpet
