// directions.h: what servers' disks move one way in one window, and what their network does.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/metrics/metric.h"
#include "diagnoser/series/passed_on.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

// One server; means over the window, B/s.
struct Sides {
  double disks = 0;
  double network = 0;  // its own, without copies passed on
  double moved = 0;    // all of it
  double clients = 0;
  double headers = 0;  // of the other direction, at most
};

// The network's share in what the disks move: it brings or takes it, or not.
enum class Seen : std::uint8_t { kIdle, kYes, kNo };

struct FlowDirection {
  std::size_t metric = 0;   // number of the balance's row
  std::size_t network = 0;  // of the network's side alone
  bool writes = false;
  OwnBytes own;
  std::vector<std::optional<Sides>> sides;  // by member; absent: it has holes
  // Disk bytes for a byte of the network, the median of servers with traffic; absent: of too few.
  std::optional<double> ratio;
  Seen seen = Seen::kIdle;
  // A balance is disk * disks - net * network. Where the network hardly shows what disks move, both
  // are counted in its bytes.
  double disk = 1;
  double net = 1;

  [[nodiscard]] double Balance(const Sides& one) const {
    return disk * one.disks - net * one.network;
  }
};

// The limit: of what disks move at least 1/16 passes the network, or it is not the network that
// brings it.
inline constexpr double kMaxRatio = 16;

// B/s; disks that move less do nothing, and whoever manages the servers may send as much.
inline constexpr double kQuiet = 128 << 10;

// More than 1 MiB/s, and than what the other direction needs for its headers.
[[nodiscard]] bool IsTraffic(const Sides& sides);

// Returns whether the network explains what the disks of the group move in `one` of `all`
// directions: where it has no traffic, the other direction tells; where neither has, what the
// median server does in both together.
[[nodiscard]] bool IsGroupExplained(std::span<const FlowDirection> all, const FlowDirection& one);

[[nodiscard]] bool IsGroupIdle(std::span<const FlowDirection> all);

// Returns whether the median server's disks move something, and its network a sixteenth of that;
// both ways together, B/s, one a server.
[[nodiscard]] bool DoesNetworkExplain(double median_disk, std::vector<double> networks);

// `metric`: of a balance, whose samples are still those of the disks. A member with holes in either
// side loses them.
[[nodiscard]] FlowDirection MeasureDirection(std::span<const MetricRow> metrics, std::size_t metric,
                                             std::span<MemberSamples> samples);

}  // namespace limpet
