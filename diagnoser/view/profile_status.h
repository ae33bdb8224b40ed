// profile_status.h: what the behaviour profiles of the last second say, for publishing.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

// The status of one node that is published.
struct ProfileNodeStatus {
  std::string node;
  std::optional<std::size_t> label;  // from 1; absent: missing
  double distance = 0;               // to more than half of its peers
  bool alarm = false;
  bool indicted = false;
};
struct ProfileStatus {
  std::optional<UnixTime> second;  // the last that was looked at
  double threshold = 0;
  bool trained = false;
  double unknown_ratio = 0;              // of the seconds of all nodes in the last 10 minutes
  bool stale = false;                    // ten whole minutes with a ratio over 5 %
  std::vector<ProfileNodeStatus> nodes;  // by name
};

}  // namespace limpet
