// groups.h: the section `peer_groups` of the configuration, and the groups there are without one.
//
//   peer_groups:
//     - name: luns
//       kind: storage              # storage, network or cwnd
//       roles: [server]
//       device: '^dm-'             # searched in the device's name
//       labels: {controller: a}    # regular expressions of whole values
//       recent: 24h                # newer components are a group of their own, "luns-recent"
//
// Threads: pure.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/mapping/rules.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/yaml.h"

namespace limpet {

// Empty when the section is absent. Problems are added to those of `top`.
[[nodiscard]] std::vector<PeerGroupRule> ReadGroups(yaml::MapReader& top);

// Returns for each role among the targets but "client": its disks, its network, its congestion
// windows. Without targets (a replay): the same for nodes of any role.
[[nodiscard]] std::vector<PeerGroupRule> DefaultGroups(std::span<const Target> targets);
// Returns for recordings whose series have these roles: those of the servers alone, by the names
// above when they are of one role. No roles, or none but clients: as without targets.
[[nodiscard]] std::vector<PeerGroupRule> RecordedGroups(std::set<std::string> roles);
// Those of the roles that `groups` (default ones) and the targets have: roles may come while we
// run, and one whose servers are all gone for a while keeps its groups.
[[nodiscard]] std::vector<PeerGroupRule> DefaultGroupsWith(std::span<const PeerGroupRule> groups,
                                                           std::span<const Target> targets);

}  // namespace limpet
