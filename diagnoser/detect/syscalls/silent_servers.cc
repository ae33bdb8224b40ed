#include "diagnoser/detect/syscalls/silent_servers.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace limpet {
namespace {

// After that the server was taken out of use.
constexpr Duration kLongest = std::chrono::hours(1);

// The last call was a request, for longer than the timeout, and there were answers before.
bool Waits(UnixTime second, const ServerContact& contact, Duration timeout) {
  return contact.kind == LastCall::kSent && contact.received && second - contact.at > timeout &&
         second - contact.at <= kLongest;
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

std::set<std::string_view> FindSilentServers(UnixTime second, std::span<const ClientState> clients,
                                             Duration timeout) {
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> counts;  // waiting, all
  for (const auto& client : clients) {
    for (const auto& [server, contact] : LatestContacts(client)) {
      auto& [waiting, all] = counts[server];
      waiting += Waits(second, *contact, timeout) ? 1U : 0U;
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

std::vector<const ServerContact*> FindUnanswered(UnixTime second, const ClientState& client,
                                                 const std::set<std::string_view>& silent,
                                                 Duration timeout) {
  std::vector<const ServerContact*> found;
  std::size_t answered = 0;
  for (const auto& contact : client.servers) {
    answered += contact.received && second - *contact.received <= timeout ? 1U : 0U;
    if (silent.contains(contact.server) && Waits(second, contact, timeout)) {
      found.push_back(&contact);
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
