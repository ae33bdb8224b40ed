#include "diagnoser/pipeline/peer_sets.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace limpet {

PeerSets::PeerSets(const std::vector<std::vector<std::string>>& groups) {
  std::vector<std::size_t> root(groups.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::size_t group) {
    while (root[group] != group) {
      group = root[group] = root[root[group]];
    }
    return group;
  };
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const auto& server : groups[group]) {
      const auto [known, is_new] = set_of_.emplace(server, group);
      if (!is_new) {
        root[find(group)] = find(known->second);
      }
    }
  }
  for (auto& [server, set] : set_of_) {
    set = find(set);
  }
}

std::size_t PeerSets::Of(std::string_view server) const {
  const auto found = set_of_.find(server);
  // Sets have small numbers, which a 64-bit hash practically never is.
  return found == set_of_.end() ? ~std::hash<std::string_view>()(server) : found->second;
}

}  // namespace limpet
