// component_state.h: what is remembered of one metric of a component over a restart.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/verdict/evidence.h"
#include "diagnoser/verdict/filter.h"
#include "exporter/common/time.h"

namespace limpet {

struct ComponentState {
  std::string preset;
  std::string group;
  std::string metric;
  std::string component;
  std::uint32_t accumulator = 0;
  std::vector<FilterEntry> recent;  // at most 2k-1, oldest first
  Episodes episodes;
  std::optional<UnixTime> onset;  // of the anomalous windows in `recent`
};

}  // namespace limpet
