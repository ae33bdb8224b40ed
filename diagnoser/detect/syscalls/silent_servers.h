// silent_servers.h: servers that owe every client an answer. Clients that wait by epoll have no
// call open meanwhile, as broken_servers.h asks for.
//
// Threads: pure.
#pragma once

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/detect/syscalls/broken_servers.h"
#include "exporter/common/time.h"

namespace limpet {

// BrokenServer::call where no call is open.
inline constexpr std::string_view kUnansweredRequest = "request";

// Returns the servers to which the last call of every client that has spoken with them, and of two
// where there are two (one may well have gone away after its last request), was a request longer
// than the timeout ago. Views into `clients`.
[[nodiscard]] std::set<std::string_view> FindSilentServers(UnixTime second,
                                                           std::span<const ClientState> clients,
                                                           Duration timeout);

// Returns the client's contacts with servers in `silent` that wait so; none unless most servers
// have answered it within the timeout, and those that wait are a minority.
[[nodiscard]] std::vector<const ServerContact*> FindUnanswered(
    UnixTime second, const ClientState& client, const std::set<std::string_view>& silent,
    Duration timeout);

}  // namespace limpet
