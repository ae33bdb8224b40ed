// peer_sets.h: which servers have to do with each other: those of one peer group, and those that a
// third one joins.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

class PeerSets {
 public:
  // The servers of each group; a name may be there several times.
  explicit PeerSets(const std::vector<std::vector<std::string>>& groups);

  // The same number for servers of one set, and one of its own for a server of none.
  [[nodiscard]] std::size_t Of(std::string_view server) const;

 private:
  std::map<std::string, std::size_t, std::less<>> set_of_;
};

}  // namespace limpet
