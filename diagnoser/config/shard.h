// shard.h: one of several diagnosers, each with some of the peer groups.
//
// A verdict weighs everything that is flagged of a server, so groups that may share a server stay
// together in a set. Sets are dealt in the order of the configuration: number i belongs to shard
// i mod count, so that every shard finds the same by itself, whatever targets it sees just now.
// Two groups are known to share no server when they have no role in common, or want different
// plain texts of the same label of the target (not of the disk).
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/mapping/rules.h"
#include "diagnoser/sources/target.h"

namespace limpet {

struct Shard {
  std::size_t index = 0;
  std::size_t count = 1;
  bool operator==(const Shard&) const = default;
};

// The sets, each with the groups' places in `groups`, in order.
[[nodiscard]] std::vector<std::vector<std::size_t>> GroupSets(
    std::span<const PeerGroupRule> groups);

// Those of the shard, in the same order.
[[nodiscard]] std::vector<PeerGroupRule> SelectGroups(const Shard& shard,
                                                      std::span<const PeerGroupRule> groups);

// The targets that may belong to one of `groups`; all when one of them is of kind cwnd, whose
// windows are seen from the other side, and anybody may be that.
[[nodiscard]] std::vector<Target> SelectTargets(std::span<const PeerGroupRule> groups,
                                                std::span<const Target> targets);

}  // namespace limpet
