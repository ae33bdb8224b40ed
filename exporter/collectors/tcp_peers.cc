#include "exporter/collectors/tcp_peers.h"

#include <algorithm>
#include <string>
#include <utility>

namespace limpet {
namespace {

constexpr Duration kActiveFor = std::chrono::seconds(5);
constexpr Duration kPeerMemory = std::chrono::minutes(15);
constexpr std::uint16_t kEphemeralBegin = 32768;
// A dump is no snapshot: while sockets come and go it may miss one. One that is missing is kept
// this many readings, so that its totals do not count as new when it is back.
constexpr std::uint64_t kReadingsMissing = 5;

void AddRoundTrip(const TcpDetails& details, TcpPeer& peer) {
  if (details.rtt_us > 0) {
    peer.rtt_us_sum += details.rtt_us;
    ++peer.rtt_count;
  }
  if (details.min_rtt_us) {
    peer.min_rtt_us = std::min(peer.min_rtt_us.value_or(*details.min_rtt_us), *details.min_rtt_us);
  }
}

bool IsLoop(const TcpSocket& socket) {
  return socket.local.IsLoopback() || socket.remote.IsLoopback() || socket.local == socket.remote;
}

// Without ports: a client that reconnects stays the same peer.
LabelsPtr PeerLabels(const TcpPeerKey& key) {
  return MakeLabels({{"local_address", key.local.Text()},
                     {"peer", key.remote.Text()},
                     {"side", key.side == TcpSide::kServer ? "server" : "client"}});
}

LabelSet::Pairs SocketLabels(const TcpSocket& socket) {
  return {{"local_address", socket.local.Text()},
          {"local_port", std::to_string(socket.local_port)},
          {"remote_address", socket.remote.Text()},
          {"remote_port", std::to_string(socket.remote_port)}};
}

}  // namespace

TcpPeers::TcpPeers(Options options) : options_(std::move(options)), ports_(options_.ports) {}

std::optional<TcpSide> TcpPeers::FindSide(const TcpSocket& socket, const PortSet& heard) const {
  const bool local =
      ports_.Contains(socket.local_port) || server_ports_.Contains(socket.local_port);
  if (local && heard.Contains(socket.local_port)) {
    return TcpSide::kServer;
  }
  if (ports_.Contains(socket.remote_port)) {
    return TcpSide::kClient;
  }
  if (local && socket.local_port < kEphemeralBegin) {
    return TcpSide::kServer;
  }
  return std::nullopt;
}

bool TcpPeers::IsCounted(const TcpSocket& socket) const {
  // What remains of a connection that is over (TIME-WAIT) has no details.
  return (socket.state == kTcpEstablished || (socket.state != kTcpListen && socket.details)) &&
         !(options_.exclude_loopback && IsLoop(socket));
}

TcpPeer* TcpPeers::FindOrAddPeer(const TcpPeerKey& key) {
  if (const auto found = peers_.find(key); found != peers_.end()) {
    return &found->second;
  }
  // Anybody may connect: without a bound a port scan would be a series for each address.
  if (peers_.size() >= options_.max_peers) {
    return nullptr;
  }
  auto& peer = peers_[key];
  peer.labels = PeerLabels(key);
  return &peer;
}

void TcpPeers::Update(const TcpSockets& reading, SteadyTime now,
                      std::span<const TcpSocket> closed) {
  ++reading_;
  sockets_ = closed_ = seen_ = 0;
  connections_.clear();
  for (auto& [key, peer] : peers_) {
    peer.sockets = peer.active = peer.cwnd_sum = peer.cwnd_min = 0;
    peer.rtt_us_sum = peer.rtt_count = 0;
    peer.min_rtt_us.reset();
  }
  // Whose end a connection is follows from who listens, so listeners are looked at first.
  std::vector<PortRange> listening;
  for (const auto& socket : reading.sockets) {
    if (socket.state == kTcpListen) {
      listening.push_back({socket.local_port, socket.local_port});
    }
  }
  const PortSet heard(listening);
  for (const auto& socket : reading.sockets) {
    if (const auto side = FindSide(socket, heard); side && IsCounted(socket)) {
      Count(socket, *side, now);
    }
  }
  for (const auto& socket : closed) {
    if (const auto side = FindSide(socket, heard); side && IsCounted(socket)) {
      CountClosed(socket, *side, now);
    }
  }
  Forget(now);
  all_known_ = reading.dropped == 0;
}

void TcpPeers::SetServerPorts(std::span<const PortRange> ports) {
  server_ports_ = PortSet(ports);
  all_known_ = false;  // their connections are old, though we have not seen them
}

void TcpPeers::Inherit(TcpPeers& before) {
  peers_ = std::move(before.peers_);  // nodes of a map stay where they are: tracked_ points at them
  tracked_ = std::move(before.tracked_);
  reading_ = before.reading_;
  dropped_ = before.dropped_;
  // Other ports may be counted now: what is not tracked need not be new.
  all_known_ = false;
}

void TcpPeers::Show(const TcpSocket& socket, Labels& labels) {
  if (!labels.connection) {
    labels.connection = MakeLabels(SocketLabels(socket));
  }
  if (labels.algorithm != socket.congestion) {
    labels.algorithm = socket.congestion;
    auto pairs = SocketLabels(socket);
    pairs.emplace_back("algorithm", socket.Congestion());
    labels.congestion = MakeLabels(pairs);
  }
  connections_.push_back({&socket, labels.connection, labels.congestion});
}

bool TcpPeers::UpdateTotals(Tracked& tracked, const TcpDetails& details, bool first_sight,
                            SteadyTime now) const {
  if (first_sight) {
    // Whether it is active now, told by the kernel's own clock, since there is no reading before.
    const auto idle = std::chrono::milliseconds(details.last_data_sent_ms);
    if (details.bytes_acked > 0 && idle <= kActiveFor) {
      tracked.last_acked = now - idle;
    }
  } else if (details.bytes_acked != tracked.bytes_acked) {
    tracked.last_acked = now;
  }
  const bool active = tracked.last_acked && now - *tracked.last_acked <= kActiveFor;
  if (tracked.peer != nullptr && (!first_sight || all_known_)) {
    // A counter of a connection never falls; should one, nothing is added.
    const auto grown = [](std::uint64_t after, std::uint64_t before) {
      return after > before ? after - before : 0;
    };
    // The kernel counts segments in 32 bits: 6 TB of data.
    const auto grown32 = [](std::uint32_t after, std::uint32_t before) {
      const auto by = after - before;
      return by <= INT32_MAX ? by : 0;
    };
    auto& peer = *tracked.peer;
    peer.sent_again += grown32(details.total_retransmits, tracked.retransmits);
    peer.needless += grown32(details.needless_retransmits, tracked.needless);
    peer.needless = std::min(peer.needless, peer.sent_again);  // a switch may send things twice
    peer.retransmits = std::max(peer.retransmits, peer.sent_again - peer.needless);
    peer.segments_sent += grown32(details.segments_sent.value_or(0), tracked.segments_sent);
    peer.bytes_acked += grown(details.bytes_acked, tracked.bytes_acked);
    peer.bytes_received += grown(details.bytes_received, tracked.bytes_received);
  }
  tracked.retransmits = details.total_retransmits;
  tracked.needless = details.needless_retransmits;
  tracked.segments_sent = details.segments_sent.value_or(0);
  tracked.bytes_acked = details.bytes_acked;
  tracked.bytes_received = details.bytes_received;
  return active;
}

void TcpPeers::Count(const TcpSocket& socket, TcpSide side, SteadyTime now) {
  const auto [entry, first_sight] = tracked_.try_emplace(socket.id);
  auto& tracked = entry->second;
  if (tracked.reading == reading_) {
    return;  // the dump met it twice
  }
  tracked.reading = reading_;
  ++seen_;
  const bool open = socket.state == kTcpEstablished;
  sockets_ += open ? 1U : 0U;
  if (options_.per_socket && open) {
    Show(socket, tracked.labels);
  }
  if (tracked.peer == nullptr) {
    tracked.peer = FindOrAddPeer({socket.local, socket.remote, side});
    if (tracked.peer == nullptr) {
      ++dropped_;
    } else {
      ++tracked.peer->tracked;
    }
  }

  // Without byte counters there is no telling whether it is active.
  const bool active = !socket.details || UpdateTotals(tracked, *socket.details, first_sight, now);
  if (tracked.peer == nullptr) {
    return;
  }
  auto& peer = *tracked.peer;
  peer.last_seen = now;
  if (!open) {
    return;  // its last data are still on their way
  }
  ++peer.sockets;
  // An idle connection keeps the time that it measured last, however long ago.
  if (active && socket.details) {
    AddRoundTrip(*socket.details, peer);
  }
  if (active && socket.cwnd) {
    peer.cwnd_min =
        peer.active == 0 ? *socket.cwnd : std::min<std::uint64_t>(peer.cwnd_min, *socket.cwnd);
    peer.cwnd_sum += *socket.cwnd;
    ++peer.active;
  }
}

void TcpPeers::CountClosed(const TcpSocket& socket, TcpSide side, SteadyTime now) {
  if (!socket.details) {
    return;
  }
  ++closed_;
  const auto& details = *socket.details;
  auto known = tracked_.extract(socket.id);
  Tracked unseen;
  auto& tracked = known ? known.mapped() : unseen;
  if (!known && details.segments_sent.value_or(0) + details.bytes_received > 0) {
    tracked.peer = FindOrAddPeer({socket.local, socket.remote, side});
    dropped_ += tracked.peer == nullptr ? 1U : 0U;
  }
  UpdateTotals(tracked, details, !known, now);
  if (tracked.peer != nullptr) {
    tracked.peer->last_seen = now;
    tracked.peer->tracked -= known ? 1U : 0U;
  }
  seen_ -= known && tracked.reading == reading_ ? 1U : 0U;
}

void TcpPeers::Forget(SteadyTime now) {
  // Nobody is gone when as many were seen as are known, which is nearly always.
  if (tracked_.size() > seen_) {
    for (auto entry = tracked_.begin(); entry != tracked_.end();) {
      auto& tracked = entry->second;
      if (reading_ - tracked.reading < kReadingsMissing) {
        ++entry;
        continue;
      }
      if (tracked.peer != nullptr) {
        --tracked.peer->tracked;
      }
      entry = tracked_.erase(entry);
    }
  }
  for (auto entry = peers_.begin(); entry != peers_.end();) {
    const bool gone = entry->second.tracked == 0 && now - entry->second.last_seen > kPeerMemory;
    entry = gone ? peers_.erase(entry) : std::next(entry);
  }
}

}  // namespace limpet
