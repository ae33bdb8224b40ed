// saturation.h: whether a disk that is busy all the time could do more.
//
// Busy time ends at wall time, the work of a disk with many requests in flight does not: its time
// per request then says nothing. A disk that works on one request at a time and is always busy does
// what it can: how much it is asked for changes its queue and not its work. One that serves more at
// one time than at another, with a queue that is as much longer, has not come to its limit.
// Threads: pure.
#pragma once

#include <span>

namespace limpet {

// Returns whether it does, by step: %, requests a second and requests in flight. False where few
// steps are busy, the load does not vary, or a step is missing in one of them.
[[nodiscard]] bool IsBusyWithinItsLimit(std::span<const double> util,
                                        std::span<const double> requests,
                                        std::span<const double> queue);

}  // namespace limpet
