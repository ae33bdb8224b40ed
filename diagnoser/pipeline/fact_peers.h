// fact_peers.h: with whom the settings of a node and its disks are compared: some of its peers.
//
// Threads: pure.
#pragma once

#include <span>
#include <string_view>

#include "diagnoser/facts/find_facts.h"
#include "diagnoser/mapping/members.h"

namespace limpet {

// `groups`: the members of each peer group. Of a large group those that come after the node by name
// are taken: any will do, as long as they are the same at the next window.
[[nodiscard]] FactPeers FindFactPeers(std::string_view node, std::span<const GroupMembers> groups);

}  // namespace limpet
