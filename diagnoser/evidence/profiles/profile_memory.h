// profile_memory.h: what profiles of behaviour remember over a restart.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "diagnoser/detect/profile/histograms.h"
#include "diagnoser/detect/profile/unknown_ratio.h"
#include "diagnoser/series/host_readings.h"
#include "exporter/common/time.h"

namespace limpet {

// The memory of behaviour profiles of one node.
struct ProfileNodeMemory {
  HostHistory history;
  HostSample average = MissingHostSample();  // over about 20 s
  std::optional<std::size_t> label;          // in the last second
};

struct ProfileMemory {
  std::optional<UnixTime> second;  // the last that was looked at
  std::map<std::string, ProfileNodeMemory, std::less<>> nodes;
  std::int64_t counting_since = 0;  // unknown_ratio.h
  std::deque<UnknownRatio::Second> counts;
};

}  // namespace limpet
