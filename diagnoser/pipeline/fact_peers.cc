#include "diagnoser/pipeline/fact_peers.h"

#include <algorithm>
#include <string>

namespace limpet {
namespace {

void AddPeers(const std::vector<Member>& members, std::size_t own, FactPeers& peers) {
  const auto& me = members[own];
  // From the next on and around, so that each node of a large group asks other peers.
  for (std::size_t step = 1; step < members.size(); ++step) {
    const auto& peer = members[(own + step) % members.size()];
    const bool is_known = std::ranges::find(peers.nodes, peer.node) != peers.nodes.end();
    if (peer.node != me.node && !is_known && peers.nodes.size() < FactPeers::kMaxPeers) {
      peers.nodes.push_back(peer.node);
    }
    // Disks of the same node are peers too, in a group that compares them.
    if (!me.device.empty() && !peer.device.empty()) {
      peers.disks[me.device].emplace_back(peer.node, peer.device);
    }
    if (step >= FactPeers::kMaxPeers) {
      return;
    }
  }
}

}  // namespace

FactPeers FindFactPeers(std::string_view node, std::span<const GroupMembers> groups) {
  FactPeers peers;
  for (const auto& group : groups) {
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      if (group.members[i].node == node) {
        AddPeers(group.members, i, peers);
      }
    }
  }
  return peers;
}

}  // namespace limpet
