#include "diagnoser/detect/syscalls/silent_servers.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

namespace limpet {
namespace {

// After that the server was taken out of use.
constexpr Duration kLongest = std::chrono::hours(1);

// Since when the client's last request has waited; nullopt: its last call was none, or the server
// has never answered.
std::optional<UnixTime> WaitsSince(const ServerContact& contact, const IdleServers& idle) {
  if (contact.kind != LastCall::kSent || !contact.received) {
    return std::nullopt;
  }
  const auto found = idle.find(contact.server);
  return found == idle.end() ? contact.at
                             : std::min(contact.at, std::max(*contact.received, found->second));
}

// For longer than the timeout.
std::optional<UnixTime> WaitsLong(UnixTime second, const ServerContact& contact,
                                  const IdleServers& idle, Duration timeout) {
  const auto since = WaitsSince(contact, idle);
  const bool is_long = since && second - *since > timeout && second - contact.at <= kLongest;
  return is_long ? since : std::nullopt;
}

// Of several connections with a server the last one used.
std::map<std::string_view, const ServerContact*> LatestContacts(const ClientState& client) {
  std::map<std::string_view, const ServerContact*> latest;
  for (const auto& contact : client.servers) {
    auto& known = latest[contact.server];
    known = known == nullptr || known->at < contact.at ? &contact : known;
  }
  return latest;
}

}  // namespace

IdleServers FindIdleServers(std::span<const ServerCalls> servers) {
  IdleServers idle;
  for (const auto& server : servers) {
    if (server.idle_since) {
      idle.emplace(server.node, *server.idle_since);
    }
  }
  return idle;
}

std::set<std::string_view> FindSilentServers(UnixTime second, std::span<const ClientState> clients,
                                             const IdleServers& idle, Duration timeout) {
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> counts;  // waiting, all
  for (const auto& client : clients) {
    for (const auto& [server, contact] : LatestContacts(client)) {
      auto& [waiting, all] = counts[server];
      waiting += WaitsLong(second, *contact, idle, timeout) ? 1U : 0U;
      ++all;
    }
  }
  const auto least = std::min<std::size_t>(2, clients.size());
  std::set<std::string_view> silent;
  for (const auto& [server, count] : counts) {
    if (count.first == count.second && count.first >= least) {
      silent.insert(server);
    }
  }
  return silent;
}

std::vector<Unanswered> FindUnanswered(UnixTime second, const ClientState& client,
                                       const std::set<std::string_view>& silent,
                                       const IdleServers& idle, Duration timeout) {
  std::vector<Unanswered> found;
  std::size_t answered = 0;
  for (const auto& contact : client.servers) {
    answered += contact.received && second - *contact.received <= timeout ? 1U : 0U;
    if (silent.contains(contact.server)) {
      if (const auto since = WaitsLong(second, contact, idle, timeout)) {
        found.push_back({.contact = &contact, .since = *since});
      }
    }
  }
  const bool is_at_work = 2 * answered > client.servers.size();
  if (client.servers.size() < kMinServersOfClient || !is_at_work ||
      2 * found.size() >= client.servers.size()) {
    found.clear();
  }
  return found;
}

}  // namespace limpet
