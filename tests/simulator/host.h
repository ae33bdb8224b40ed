// host.h: made-up host metrics of nodes that work on the same jobs (MapReduce, as [Pan08 §5] had
// it).
//
// A job goes through phases (map, shuffle, reduce, …) that all nodes share; in a phase every node
// has one task after the other: computing, reading, sending, writing or waiting, each for a while.
// A task has its typical 14 metrics; a second scatters around them. Nodes choose their tasks
// independently, so peers are alike over a minute or two and not from second to second.
// What it leaves out: tasks that wait for each other (but for lost packets), different hardware.
// Random: the same seed, the same numbers, everywhere.
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "diagnoser/detect/profile/train.h"

namespace limpet::simulator {

enum class HostWorkload : std::uint8_t {
  kRandWriter,  // every node for itself: writes, a little computing
  kSort,        // map (read, compute), shuffle (network), reduce (write), over and over
  kNutch,       // a crawl: short jobs that fluctuate between network, computing and waiting
};
inline constexpr HostWorkload kHostWorkloads[] = {HostWorkload::kRandWriter, HostWorkload::kSort,
                                                  HostWorkload::kNutch};

enum class HostFault : std::uint8_t {
  kNone,
  kCpuHog,      // a foreign process takes 70 % of the processors' time
  kDiskHog,     // a foreign process writes as fast as the disk takes it
  kPacketLoss,  // half of one node's packets: whoever wants something from it waits (travelling)
  kHang,        // a task never ends: the others run out of work and wait as it does (symmetric),
                // but for RandWriter, where every node has its own work
};
inline constexpr HostFault kHostFaults[] = {HostFault::kCpuHog, HostFault::kDiskHog,
                                            HostFault::kPacketLoss, HostFault::kHang};

[[nodiscard]] const char* Name(HostWorkload workload);
[[nodiscard]] const char* Name(HostFault fault);

struct HostScenario {
  HostWorkload workload = HostWorkload::kSort;
  std::size_t nodes = 5;
  std::size_t seconds = 600;
  std::uint64_t seed = 1;
  HostFault fault = HostFault::kNone;
  std::size_t culprit = 0;
  std::size_t onset = 200;  // second
  double missing = 0.005;   // chance that a second of a node is not read; filled in by Impute
};

[[nodiscard]] HostRun SimulateHosts(const HostScenario& scenario);

}  // namespace limpet::simulator
