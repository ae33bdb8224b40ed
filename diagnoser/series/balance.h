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

// Turns the samples of balance rows, which are those of the disks (NetWindow), into balances. A
// member with holes in either has none. Returns by metric how much the servers carry, B/s: the
// larger of the medians of both sides; 0 of other rows.
[[nodiscard]] std::vector<double> BalanceBytes(std::span<const MetricRow> metrics,
                                               std::span<MemberSamples> samples);
// Without balances: nobody has samples of these rows.
void DropBalances(std::span<const MetricRow> metrics, std::span<MemberSamples> samples);

}  // namespace limpet
