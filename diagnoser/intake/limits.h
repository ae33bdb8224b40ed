// limits.h: bounds on what is read and kept of all targets together, and of each.
//
// Threads: values.
#pragma once

#include <chrono>
#include <cstddef>

#include "exporter/common/time.h"

namespace limpet {

struct PipelineLimits {
  std::size_t max_series = 4'000'000;    // over all sources; further ones are counted, not kept
  std::size_t max_components = 400'000;  // disks, interfaces and sockets together, and further
  std::size_t reserved_components = 200'000;  // ones in equal parts for the nodes with fewer
  // Of one node or target, so that a broken one costs the others nothing (mapping/directory.h).
  std::size_t max_components_per_node = 8'000;
  std::size_t max_devices_per_node = 2'000;
  // Of the page of one target. A page with more lines is refused; of further series it has over
  // time, known ones apart, nothing is read.
  std::size_t max_page_lines = 250'000;
  std::size_t max_source_bytes = std::size_t{32} << 20U;  // of the texts of its lines
  Duration future = std::chrono::seconds(40);  // a reading this far beyond the watermark is refused
  // Of the counters, in an exported state (8 bytes each): 10,000 disks at one preset of 64 samples.
  std::size_t max_state_bins = 8'000'000;
  bool operator==(const PipelineLimits&) const = default;
};

}  // namespace limpet
