#include "diagnoser/detect/syscalls/propagated_errors.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace limpet {
namespace {

// A page may come late, and be read once in 15 s: that long the other side is waited for.
constexpr Duration kRemember = std::chrono::seconds(30);

bool AreNear(const ErrorSighting& a, const ErrorSighting& b) {
  return a.from <= b.to + PropagatedErrors::kApart && b.from <= a.to + PropagatedErrors::kApart;
}

bool IsSameKind(const ErrorSighting& a, const ErrorSighting& b) {
  return a.node == b.node && a.path == b.path && a.call == b.call && a.error == b.error;
}

// A client that got the very error says more than one that got EIO, and the first more than others.
bool IsBetterWitness(const ErrorSighting& client, const PropagatedError& known) {
  const auto order = [&](const std::string& error, UnixTime at, const std::string& node,
                         const std::string& call) {
    return std::tuple(error != known.server.error, at, node, call);
  };
  return order(client.error, client.to, client.node, client.call) <
         order(known.client_error, known.client_at, known.client_node, known.client_call);
}

auto SortKey(const PropagatedError& one) {
  return std::tie(one.server.node, one.server.path, one.server.call, one.server.error);
}

}  // namespace

void PropagatedErrors::Observe(ErrorSighting sighting) {
  if (sighting.client) {
    for (const auto& server : recent_servers_) {
      Match(server, sighting);
    }
    if (recent_clients_.size() < kMaxRemembered) {
      recent_clients_.push_back(std::move(sighting));
    }
    return;
  }
  if (IsBenign(benign_, sighting.role, sighting.error)) {
    return;
  }
  for (const auto& client : recent_clients_) {
    Match(sighting, client);
  }
  if (recent_servers_.size() < kMaxRemembered) {
    recent_servers_.push_back(std::move(sighting));
  }
}

void PropagatedErrors::Match(const ErrorSighting& server, const ErrorSighting& client) {
  const bool reached = client.error == server.error || client.error == "EIO";
  if (!reached || !AreNear(server, client)) {
    return;
  }
  const auto at = std::max(server.to, client.to);
  const auto known = std::find_if(found_.begin(), found_.end(), [&](const PropagatedError& one) {
    return IsSameKind(one.server, server);
  });
  if (known == found_.end()) {
    if (found_.size() < kMaxRemembered) {
      found_.push_back({.server = server,
                        .client_node = client.node,
                        .client_call = client.call,
                        .client_error = client.error,
                        .client_at = client.to,
                        .last = at});
    }
    return;
  }
  // The best witness is the same whatever the order in which the pages came.
  if (IsBetterWitness(client, *known)) {
    known->client_node = client.node;
    known->client_call = client.call;
    known->client_error = client.error;
    known->client_at = client.to;
  }
  // One sighting may match several of the other side: it is counted once.
  if (server.to > known->server.to) {
    known->server.count += server.count;
    known->server.to = server.to;
  }
  known->last = std::max(known->last, at);
}

std::vector<PropagatedError> PropagatedErrors::At(UnixTime now) {
  const auto is_old = [&](const ErrorSighting& one) { return now - one.to > kRemember; };
  std::erase_if(recent_servers_, is_old);
  std::erase_if(recent_clients_, is_old);
  std::erase_if(found_, [&](const PropagatedError& one) { return now - one.last > hold_; });
  auto found = found_;
  std::sort(found.begin(), found.end(), [](const PropagatedError& a, const PropagatedError& b) {
    return SortKey(a) < SortKey(b);
  });
  return found;
}

}  // namespace limpet
