#include "diagnoser/evidence/windows/coverage.h"

#include <algorithm>
#include <utility>

namespace limpet {

void Coverage::Record(UnixTime end, Duration shift, const std::vector<Member>& members,
                      bool resume) {
  std::map<std::string, Server> servers;
  for (const auto& member : members) {
    auto place = servers.find(*member.node);
    if (place == servers.end()) {
      // A server has a member for each of its disks: what is known of it is taken over once.
      auto known = servers_.extract(*member.node);
      place = known ? servers.insert(std::move(known)).position
                    : servers.try_emplace(*member.node).first;
    }
    auto& server = place->second;
    if (!member.compared) {
      continue;
    }
    // Once a window, however many of its disks were compared in it.
    if (server.compared != end) {
      const bool in_a_row = server.compared && end - *server.compared <= 2 * shift;
      server.windows = in_a_row ? server.windows + 1 : 1;
      server.compared = end;
    }
    server.windows = resume ? std::max(server.windows, member.remembered) : server.windows;
  }
  servers_ = std::move(servers);
}

}  // namespace limpet
