// round_trips.h: servers compared by the round-trip times of their connections: delay without loss.
//
// Parts:   what one end of a connection measures is its own part, the server's, and chance. In one
//          second a server's part is the median over all ends of what each measures to this server
//          less the median of what it measures to all of them. An end that is far away or busy
//          measures that to every server, and has one voice however many connections it has. Of
//          two middle voices that nearer to 0 counts: one end alone accuses nobody.
// Queues:  a window counts with the lower quartile of its seconds. A queue comes and goes, a way
//          that delays does so always.
// Degree:  how much a server's part exceeds the median of the others', in the largest of kFloor,
//          kTimesLevel times their round-trip time and kTimesScatter times their parts' scatter.
// Load:    a server that carries kLoadTimes as much as the median of the others waits behind its
//          own traffic: no degree.
// Missing: an end that measures fewer than kMinPeers servers has no voice; a server without any
//          voice, or in too few seconds, takes no part. Fewer than kMinPeers servers: undetermined.
// Units:   seconds.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/detect/comparison.h"

namespace limpet {

inline constexpr double kDelayFloor = 0.0003;
inline constexpr double kDelayTimesLevel = 0.5;
inline constexpr double kDelayTimesScatter = 4;
inline constexpr double kDelayLoadTimes = 1.5;

// One measurement in one second. Several of the same two count by their mean.
struct MeasuredTrip {
  std::size_t end = 0;     // number of the other end
  std::size_t server = 0;  // number of the server
  double seconds = 0;
};

struct ServerTrip {
  double part = 0;   // negative: shorter than those of its peers
  double level = 0;  // the round-trip time itself, the lower median of its ends
};

// By server number; nullopt: no end has a voice. O(n log n).
[[nodiscard]] std::vector<std::optional<ServerTrip>> SplitTrips(std::vector<MeasuredTrip> trips,
                                                                std::size_t servers);

// One server in one window.
struct ServerDelay {
  ServerTrip trip;  // lower quartiles of its seconds
  double load = 0;  // segments a second, both ways
};

// nullopt with fewer than half of `seconds` seconds in `trips`.
[[nodiscard]] std::optional<ServerTrip> SumUpTrips(std::span<const ServerTrip> trips,
                                                   std::size_t seconds);

// s is what the part exceeds the others' by. Means are levels.
[[nodiscard]] Comparison CompareDelays(std::span<const ServerDelay> servers);

}  // namespace limpet
