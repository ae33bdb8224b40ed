#include "diagnoser/detect/syscalls/broken_servers.h"

#include <algorithm>
#include <chrono>

#include "diagnoser/detect/syscalls/silent_servers.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

// A client tries again every few seconds: in between its last error still counts.
constexpr Duration kRefusedFor = 10s;
// A connection that failed and was never made again: after that the server was taken out of use.
constexpr Duration kBrokenFor = std::chrono::hours(1);
// Calls are sampled once a second, and one that is about to be answered looks like one that never
// will be.
constexpr std::size_t kCrashSeconds = 2;
constexpr std::size_t kHangSeconds = 5;

bool IsBroken(LastCall kind) { return kind == LastCall::kEnded || kind == LastCall::kFailed; }

bool IsUnanswered(const ServerContact& contact) {
  return contact.kind == LastCall::kSent || IsBroken(contact.kind);
}

template <class Test>
std::size_t Count(const std::vector<ServerContact>& servers, const Test& test) {
  return static_cast<std::size_t>(std::count_if(servers.begin(), servers.end(), test));
}

UnixTime LastAnswer(const ServerContact& contact) { return contact.received.value_or(contact.at); }

// Those whose last answer is older than most others' by more than the timeout.
std::vector<const ServerContact*> FindStale(const std::vector<ServerContact>& servers,
                                            Duration timeout) {
  std::vector<UnixTime> answers;
  answers.reserve(servers.size());
  for (const auto& contact : servers) {
    answers.push_back(LastAnswer(contact));
  }
  const auto middle = answers.begin() + static_cast<std::ptrdiff_t>(answers.size() / 2);
  std::nth_element(answers.begin(), middle, answers.end());
  std::vector<const ServerContact*> stale;
  for (const auto& contact : servers) {
    if (*middle - LastAnswer(contact) > timeout) {
      stale.push_back(&contact);
    }
  }
  return stale;
}

// `differs` picks the odd kind; where nobody has it, age decides, if there is a timeout. Empty when
// the odd ones are no minority.
template <class Differs>
std::vector<const ServerContact*> FindCulprits(const std::vector<ServerContact>& servers,
                                               std::optional<Duration> timeout,
                                               const Differs& differs) {
  std::vector<const ServerContact*> culprits;
  for (const auto& contact : servers) {
    if (differs(contact)) {
      culprits.push_back(&contact);
    }
  }
  if (culprits.empty() && timeout) {
    culprits = FindStale(servers, *timeout);
  }
  if (2 * culprits.size() >= servers.size()) {
    culprits.clear();
  }
  return culprits;
}

}  // namespace

void BrokenServers::Observe(UnixTime second, std::span<const ClientState> clients,
                            std::span<const ServerCalls> servers) {
  accused_.clear();
  // How many clients see it is counted anew each second.
  for (auto& [key, broken] : broken_) {
    broken.clients = broken.last < second ? 0 : broken.clients;
  }
  const auto idle = FindIdleServers(servers);
  const auto silent = FindSilentServers(second, clients, idle, timeout_);
  for (const auto& client : clients) {
    JudgeClient(second, client);
    if (client.open > timeout_) {
      continue;  // judged by that call
    }
    for (const auto& request : FindUnanswered(second, client, silent, idle, timeout_)) {
      Accuse(second,
             {.node = client.node,
              .open = second - request.since,
              .open_call = std::string(kUnansweredRequest)},
             *request.contact, Breakage::kHang);
    }
  }
  JudgeServers(second, servers);
  // A reason that was missing for one second begins anew; a client that has not been read in this
  // second has not said that it is missing.
  std::erase_if(streaks_, [&](const auto& one) {
    const auto& name = one.first.first.first;
    const auto is_it = [&](const auto& node) { return node.node == name; };
    return !accused_.contains(one.first) && (std::any_of(clients.begin(), clients.end(), is_it) ||
                                             std::any_of(servers.begin(), servers.end(), is_it));
  });
  std::erase_if(broken_, [&](const auto& one) { return second - one.second.last > hold_; });
}

bool BrokenServers::HasCrashed(UnixTime second, const ClientState& client,
                               const ServerContact& contact) const {
  if (!IsBroken(contact.kind) || second - contact.at > kBrokenFor) {
    return false;
  }
  // The client's error and the broken connection belong together: nothing has come since.
  if (!contact.received || *client.refused < *contact.received) {
    return false;
  }
  // Servers close connections that nobody uses. In the middle of a conversation they do not.
  return contact.kind == LastCall::kFailed || contact.at - *contact.received <= timeout_;
}

void BrokenServers::JudgeClient(UnixTime second, const ClientState& client) {
  if (client.servers.size() < kMinServersOfClient) {
    return;
  }
  if (client.refused) {
    // Age alone accuses nobody but just after one of the errors that [Kasick09] names.
    const bool named =
        client.refused_error == "ECONNREFUSED" || client.refused_error == "ECONNRESET";
    const bool by_age = named && second - *client.refused <= kRefusedFor;
    for (const auto* contact :
         FindCulprits(client.servers, by_age ? std::optional(timeout_) : std::nullopt,
                      [&](const ServerContact& one) { return HasCrashed(second, client, one); })) {
      Accuse(second, client, *contact, Breakage::kCrash);
    }
  }
  if (client.open > timeout_) {
    // Where most are in the middle of something, an unanswered request is nothing odd.
    const bool answers =
        2 * Count(client.servers,
                  [](const ServerContact& one) { return one.kind == LastCall::kReceived; }) >
        client.servers.size();
    for (const auto* contact :
         FindCulprits(client.servers, timeout_,
                      [&](const ServerContact& one) { return answers && IsUnanswered(one); })) {
      Accuse(second, client, *contact, Breakage::kHang);
    }
  }
}

void BrokenServers::Accuse(UnixTime second, const ClientState& client, const ServerContact& contact,
                           Breakage what) {
  // It has not started yet.
  if (!contact.received) {
    return;
  }
  const std::pair key{Pair{client.node, contact.peer}, what};
  accused_.insert(key);
  const auto wanted = what == Breakage::kCrash ? kCrashSeconds : kHangSeconds;
  if (++streaks_[key] < wanted) {
    return;
  }
  Add({.server = contact.server,
       .what = what,
       .since = second,
       .last = second,
       .client = client.node,
       .error = what == Breakage::kCrash ? client.refused_error : std::string(),
       .call = what == Breakage::kHang ? client.open_call : std::string(),
       .open = what == Breakage::kHang ? client.open : Duration{},
       .kind = contact.kind,
       .contact = contact.at,
       .clients = 1});
}

void BrokenServers::JudgeServers(UnixTime second, std::span<const ServerCalls> servers) {
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> roles;  // stuck, all
  for (const auto& server : servers) {
    auto& [stuck, all] = roles[server.role];
    stuck += server.open > timeout_ ? 1U : 0U;
    ++all;
  }
  for (const auto& server : servers) {
    const auto [stuck, all] = roles[server.role];
    // If most have such a call, that is how these programs wait.
    if (server.open <= timeout_ || 2 * stuck >= all) {
      continue;
    }
    // One call of a slow disk may take that long.
    const std::pair key{Pair{server.node, server.node}, Breakage::kHang};
    accused_.insert(key);
    if (++streaks_[key] >= kHangSeconds) {
      Add({.server = server.node,
           .what = Breakage::kHang,
           .since = second,
           .last = second,
           .client = {},
           .error = {},
           .call = server.open_call,
           .open = server.open,
           .kind = {},
           .contact = std::nullopt,
           .clients = 0});
    }
  }
}

void BrokenServers::Add(const BrokenServer& broken) {
  const auto [found, is_new] = broken_.try_emplace({broken.server, broken.what}, broken);
  if (is_new) {
    return;
  }
  auto& known = found->second;
  // The first client of a second is the witness; the others are counted.
  const auto clients = known.last == broken.last ? known.clients + broken.clients : broken.clients;
  const auto since = known.since;
  const bool keep = known.last == broken.last && !known.client.empty();
  if (!keep) {
    known = broken;
    known.since = since;
  }
  known.clients = clients;
}

std::vector<BrokenServer> BrokenServers::Export() const {
  std::vector<BrokenServer> all;
  for (const auto& [key, broken] : broken_) {
    all.push_back(broken);
  }
  return all;
}

void BrokenServers::Resume(const std::vector<BrokenServer>& broken) {
  for (const auto& one : broken) {
    broken_.insert_or_assign({one.server, one.what}, one);
  }
}

std::vector<BrokenServer> BrokenServers::At(UnixTime now) const {
  std::vector<BrokenServer> all;
  for (const auto& [key, broken] : broken_) {
    const bool also_crashed =
        broken.what == Breakage::kHang && broken_.contains({broken.server, Breakage::kCrash});
    if (now - broken.last <= hold_ && !also_crashed) {
      all.push_back(broken);
    }
  }
  return all;
}

}  // namespace limpet
