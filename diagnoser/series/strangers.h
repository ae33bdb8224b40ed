// strangers.h: whether an imbalance can be somebody else's bytes: how-it-decides.md has the
// definitions, and what the constants were chosen by.
//
// Much moves bytes at a disk and not on the network, or the other way round, and is no fault: a
// cache, reading ahead, local readers, an interface that nobody counts, what is written back later.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/series/directions.h"
#include "diagnoser/series/disk_places.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {

// Medians over the servers, weighed as balances are, B/s.
struct PeerBytes {
  double disks = 0;
  double network = 0;
  double balance = 0;
  double await = 0;     // ms
  double segments = 0;  // of connections, for a byte that is sent; 0: of what is received
  // True if what the disks of most servers move beyond their network is a share of it: journals, or
  // traffic that nobody counts, and no log.
  bool share = false;
  // Bytes that servers write in the long run for one that comes in; 0: unknown.
  double written = 0;
};
[[nodiscard]] PeerBytes FindPeerBytes(const FlowDirection& direction,
                                      std::span<const MemberSamples> samples);

// The subject of all questions below: a member that has both sides.
struct Suspect {
  std::span<const FlowDirection> all;
  const FlowDirection* direction = nullptr;
  std::span<const MemberSamples> samples;
  PeerBytes peers;
  bool group_explained = false;
  std::size_t member = 0;
  const DisksByPlace* disks = nullptr;
  DiskAlone alone = {};

  [[nodiscard]] const Sides& Own() const { return *direction->sides[member]; }
  [[nodiscard]] const MemberSamples& Samples() const { return samples[member]; }
};

// Returns whether its disk is saturated: for seconds on end such a disk is always busy and follows
// no load.
[[nodiscard]] bool IsSaturated(const MemberSamples& member);

// Returns whether the network explains what the disks of the group, and of this server, move.
[[nodiscard]] bool IsExplained(const Suspect& suspect);
// Returns whether a surplus of the disks can be a stranger's, where that is so. `carried`: by the
// servers.
[[nodiscard]] bool MayReadOrWrite(const Suspect& suspect, double carried);

// Returns whether clients starve at it: a disk of it is always busy, its requests take twice as
// long as the peers', and it sends and receives no more than these. What caches save or copies add
// at all servers then hides nothing: whatever its disks move more is for nobody whom the network
// serves.
[[nodiscard]] bool IsStarved(const Suspect& suspect);

// Returns whether a deficit can be a stranger's traffic.
[[nodiscard]] bool MaySendOrReceive(const Suspect& suspect, double carried);

}  // namespace limpet
