// balance.h: what a server reads from its disks and does not send, writes and did not receive.
//
// A file server sends what it reads and writes what it receives, so its own load cancels, however
// unequal the servers' loads are; what remains was read, written, sent or received by somebody
// else. Amplification that all servers share (journals, replicas, a volume counted beside its
// disks) is divided out: the network's bytes count `ratio` times, the peers' median of disk bytes
// over network bytes, from 1 to 16. It is never under 1, or what caches save would hide what a
// network hog sends. Copies that servers pass on to each other are left out of what they send
// (passed_on.h).
//
// Where the median server's network carries less than a sixteenth of what its disks move, it is not
// what brings it (InfiniBand, NVMe over fabrics, local readers): a surplus means nothing then, and
// deficits are counted in the network's bytes. The definitions are in docs/how-it-decides.md.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/metrics/metric.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

// The measures that an imbalance of one member is held against.
struct Carried {
  // The bytes that the servers carry, B/s: the larger of the medians of both sides over all
  // members, and of what the server's own disks and network have in common, a fifth of it in the
  // other direction: headers and acknowledgments alone are 2 % of what a busy server among idle
  // ones sends.
  double bytes = 0;
  // The bytes that its network moves more than the peers' median, B/s times the ratio; negative:
  // less. Absent where it may be copies: it is not known what goes to servers, or they get a tenth
  // of what a median server receives. Absent, too, of what is received where a disk is always busy:
  // it writes no more however much more comes, and clients send again what takes too long.
  std::optional<double> excess = std::nullopt;
  // The bytes that a median server's disks move for a byte of the network, at most 1; 0: unknown.
  // More load brings as much less than itself, a stranger's bytes nothing.
  double usual = 0;
  // The surplus that its own load may bring about, B/s: as much as clients get, where too few
  // peers do enough to say what disks move for a byte of the network. A busy disk of the
  // lab read half as much again ahead, for many streams, and dropped it before anybody asked.
  double doubtful = 0;
  // The excess of one of its disks over the other servers' in its place, B/s, where that is most;
  // what those move; and how many disks the server has.
  double at_one_disk = 0;
  double of_one_disk = 0;
  std::size_t disks = 0;
  // True if the network explains what the disks of the group, and of this server, move; where not,
  // throughput counts as it does without balances.
  bool explained = false;
  // True for what may be a stranger's at all (strangers.h).
  bool surplus = true;
  bool deficit = true;
  // True of a surplus that counts beside the peers' alone: its disk is always busy, and it is not
  // for clients (strangers.h).
  bool starved = false;
};
using Traffic = std::vector<std::vector<Carried>>;  // by metric and member; empty of other rows

// Turns the samples of balance rows, which are those of the disks (NetWindow), into balances. A
// member with holes in either has none.
[[nodiscard]] Traffic BalanceBytes(std::span<const MetricRow> metrics,
                                   std::span<MemberSamples> samples);

}  // namespace limpet
