// never_falls.h: processor time of /proc/stat, whose idle and iowait step back now and then.
//
// The kernel says so itself (Documentation/filesystems/proc.rst: "the value of iowait field will
// decrease in certain conditions").
// Small:   the total stands still until the readings have caught up.
// Large:   no step of the kernel's but another beginning (a container that was restored, a line
//          that was damaged before): the total goes on from where it was.
// Threads: a value.
#pragma once

#include <cstdint>

namespace limpet {

class NeverFalls {
 public:
  // Ticks; a minute of one processor.
  static constexpr std::uint64_t kSmall = 6000;

  // The total after this reading.
  std::uint64_t Update(std::uint64_t reading) {
    if (reading < highest_ && highest_ - reading > kSmall) {
      before_ += highest_ - reading;
      highest_ = reading;
    } else if (reading > highest_) {
      highest_ = reading;
    }
    return before_ + highest_;
  }

 private:
  std::uint64_t highest_ = 0;  // reading since the last beginning
  std::uint64_t before_ = 0;   // what readings before that add to the total
};

}  // namespace limpet
