// timed_reads.h: how long a disk takes for a few small reads at random places.
//
// Random places, because a disk answers what it has just read from its own cache.
// Threads: pure but for the disk and the clock; hangs as long as the disk does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/probe/probed_disk.h"

namespace limpet {

inline constexpr std::size_t kProbeReads = 30;

struct TimedReads {
  std::size_t reads = 0;  // 1 to kProbeReads: fewer where `limit` was over first
  Duration median{};      // of an even number the mean of the middle two
  Duration longest{};
};

// Reads one after another until kProbeReads are done or `limit` is over; the first is always done.
// `on_read` is told before each. An error is that of the first read that failed.
[[nodiscard]] Result<TimedReads> TimeReads(ProbedDisk& disk, const Clock& clock, std::uint64_t seed,
                                           Duration limit, const std::function<void()>& on_read);

}  // namespace limpet
