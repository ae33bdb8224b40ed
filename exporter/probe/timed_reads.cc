#include "exporter/probe/timed_reads.h"

#include <algorithm>
#include <random>
#include <vector>

namespace limpet {
namespace {

Duration Median(std::vector<Duration> times) {
  std::sort(times.begin(), times.end());
  const auto middle = times.size() / 2;
  return times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}

}  // namespace

Result<TimedReads> TimeReads(ProbedDisk& disk, const Clock& clock, std::uint64_t seed,
                             Duration limit, const std::function<void()>& on_read) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::uint64_t> blocks(0, disk.Bytes() / kProbeBlock - 1);
  const auto began = clock.Steady();
  auto before = began;
  std::vector<Duration> times;
  while (times.size() < kProbeReads && (times.empty() || before - began < limit)) {
    // Counted before it is known to end: a read that hangs is a read.
    on_read();
    if (auto done = disk.Read(blocks(random) * kProbeBlock); !done) {
      return done.error();
    }
    const auto now = clock.Steady();
    times.push_back(now - before);
    before = now;
  }
  const auto longest = *std::max_element(times.begin(), times.end());
  return TimedReads{.reads = times.size(), .median = Median(times), .longest = longest};
}

}  // namespace limpet
