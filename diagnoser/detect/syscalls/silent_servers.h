// silent_servers.h: servers that owe every client an answer. Clients that wait by epoll have no
// call open meanwhile, as broken_servers.h asks for, and those with a timeout ask again and again:
// they wait from their last answer on where the server itself has completed no call since.
//
// Threads: pure.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/detect/syscalls/broken_servers.h"
#include "exporter/common/time.h"

namespace limpet {

// BrokenServer::call where no call is open.
inline constexpr std::string_view kUnansweredRequest = "request";

// A request that has no answer.
struct Unanswered {
  const ServerContact* contact = nullptr;
  UnixTime since;
};

// Maps a server to the instant since which it has been idle (ServerCalls::idle_since).
using IdleServers = std::map<std::string_view, UnixTime>;

[[nodiscard]] IdleServers FindIdleServers(std::span<const ServerCalls> servers);

// Returns the servers to which the last call of every client that has spoken with them, and of two
// where there are two (one may well have gone away after its last request), was a request that has
// waited for longer than the timeout. Views into `clients`.
[[nodiscard]] std::set<std::string_view> FindSilentServers(UnixTime second,
                                                           std::span<const ClientState> clients,
                                                           const IdleServers& idle,
                                                           Duration timeout);

// Returns the client's requests that wait so for servers in `silent`; none unless most servers have
// answered it within the timeout, and those that it waits for are a minority.
[[nodiscard]] std::vector<Unanswered> FindUnanswered(UnixTime second, const ClientState& client,
                                                     const std::set<std::string_view>& silent,
                                                     const IdleServers& idle, Duration timeout);

}  // namespace limpet
