// balance.h: what a server reads from its disks and does not send, writes and did not receive.
//
// A file server sends what it reads and writes what it receives, so its own load cancels, however
// unequal the servers' loads are; what remains was read, written, sent or received by somebody
// else. Amplification that all servers share (journals, replicas, a volume counted beside its
// disks) is divided out: the network's bytes count `ratio` times, the peers' median of disk bytes
// over network bytes, from 1 to 8. It is never under 1, or what caches save would hide what a
// network hog sends.
// Threads: pure.
#pragma once

#include <span>
#include <vector>

#include "diagnoser/metrics/metric.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

// What an imbalance is held against: by metric and member how much the servers carry, B/s. The
// larger of the medians of both sides over all members, and of what the server's own disks and
// network have in common, a fifth of it in the other direction: headers and acknowledgments alone
// are 2 % of what a busy server among idle ones sends.
using Traffic = std::vector<std::vector<double>>;  // empty of other rows

// Turns the samples of balance rows, which are those of the disks (NetWindow), into balances. A
// member with holes in either has none.
[[nodiscard]] Traffic BalanceBytes(std::span<const MetricRow> metrics,
                                   std::span<MemberSamples> samples);

}  // namespace limpet
