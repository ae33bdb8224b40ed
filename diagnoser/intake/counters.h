// counters.h: what the pipeline has read and done since it started.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limpet {

struct PipelineCounters {  // since start
  std::uint64_t samples = 0;
  std::uint64_t mapped = 0;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::uint64_t windows = 0;
  std::uint64_t compared = 0;  // windows with enough peers to compare
  std::uint64_t verdicts = 0;
  std::uint64_t resets = 0;  // counters that began again
  std::uint64_t gaps = 0;    // pairs of readings further apart than max_gap
  std::size_t series = 0;    // now in the cache
  std::size_t components = 0;
  std::uint64_t forgotten = 0;  // components that are gone
};

}  // namespace limpet
