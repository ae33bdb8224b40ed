// syscall_plan.h: what the pipeline does with the metrics of system calls [Kasick09].
//
// Threads: values.
#pragma once

#include <chrono>
#include <cstddef>

#include "diagnoser/detect/syscalls/training.h"
#include "exporter/common/time.h"

namespace limpet {

struct SyscallPlan {
  SyscallTraining training;
  // A client's call on a file that has not returned for longer means that a server hangs. Longer
  // than it takes to write back what clients have buffered.
  Duration timeout = std::chrono::seconds(30);
  // Returns how long what was seen once still counts: longer than from one window of a preset to
  // the next.
  Duration hold = std::chrono::minutes(1);
  std::size_t k = 3;    // of 2k - 1 windows of 5 s, for service times
  bool events = false;  // a SyscallWindowEvent a window, role and metric
  // Training: nothing is judged, every second's samples come as SyscallSecondEvents.
  bool collect = false;
  bool operator==(const SyscallPlan&) const = default;
};

}  // namespace limpet
