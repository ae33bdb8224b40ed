// node_rates.h: what every node does right now, for the live page: the newest step of its disks
// and interfaces, added up.
//
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "diagnoser/mapping/directory.h"
#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/host_loads.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

// kMissing where nothing is known.
struct NodeRates {
  std::string node;
  double requests = kMissing;  // of its disks, a second
  double busy = kMissing;      // share of time of its busiest disk, 0 to 1
  double read = kMissing;      // bytes a second
  double written = kMissing;   // bytes a second
  double received = kMissing;  // bytes a second
  double sent = kMissing;      // bytes a second
  double cpu = kMissing;       // share of time that its processors are not idle, 0 to 1
  double load1 = kMissing;     // tasks that run or wait, mean of a minute
};

// When rates are wanted of.
struct RatesAt {
  UnixTime oldest;  // those whose last reading is before it say nothing
  UnixTime latest;  // of the newest step that has ended by then
};

// Whose bytes count (mapping/members.h), by kind and number.
using Counted = std::array<std::vector<bool>, kEntityKinds>;

// Of the disks and interfaces in some peer group that count, by grid number `grid`; those that
// `counted` has no place for do. In no order.
[[nodiscard]] std::vector<NodeRates> CollectNodeRates(const Directory& directory,
                                                      const Readings& readings,
                                                      const Counted& counted, std::size_t grid,
                                                      const RatesAt& at);

// Adds what hosts say since `oldest`; nodes that have no rates yet come last.
void AddHostLoads(const HostLoads& loads, UnixTime oldest, std::vector<NodeRates>& rates);

}  // namespace limpet
