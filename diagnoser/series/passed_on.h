// passed_on.h: which of a server's bytes it received a moment ago, and passed on to another server.
//
// Copies of what is written go from server to server: they were received, and not read from a disk.
// What goes to servers is known where limpet-exporter counts segments (MemberSamples::to_servers).
// Passed on is at most what a median server passes on of what it receives (the upper of the middle
// two): what a server sends to others beyond that, it has read, because they rebuild.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/metrics/metric.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

// Shares of the bytes of one direction of the network; shares by member, 0 to 1.
struct OwnBytes {
  std::vector<double> own;      // not passed on
  std::vector<double> clients;  // not for servers at all
  bool no_copies = true;        // known to be as good as all, for everybody
};

[[nodiscard]] OwnBytes OwnBytesSent(std::span<const MetricRow> metrics,
                                    std::span<const MemberSamples> samples);
// Returns what is received is a server's own, whoever sent it: it is written.
[[nodiscard]] OwnBytes OwnBytesReceived(std::size_t members);

}  // namespace limpet
