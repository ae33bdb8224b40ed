// tcp_peers.h: the file-system connections of this machine over time, summed per peer.
//
// Side:     a connection whose local port is being listened on is the server's end; else one whose
//           remote port is a file-system port is the client's; else a local port below 32768 (the
//           ephemeral range of Linux begins there) is the server's end of a listener that is gone;
//           anything else only happens to have such a port and is left out.
// Active:   bytes_acked grew in the last 5 s ([Kasick10 §10.1]: cwnd only moves on the side that
//           sends). At first sight: something was sent in the last 5 s. Without byte counters:
//           always.
// Counters: sums of what each connection added, so they never fall when one closes. A connection
//           that is there at the first reading, or may have been left out by an earlier one, begins
//           at its present value: a start of the exporter is no burst. One that closes before any
//           reading sees it counts where the kernel tells of it (io/closed_connections.h).
// Retransmits: segments sent again, without those of which the peer says that it had them: a probe
//           whose answer was late lost nothing, and where little is sent most are such. What is
//           said late is taken from the next ones.
// Bounds:   max_peers; a peer without connections is forgotten after 15 minutes, and begins at 0
//           if it returns, which reads as any other reset.
// Threads:  belongs to one thread; looks at no clock.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/ports.h"
#include "exporter/common/time.h"
#include "exporter/kernel/tcp_socket.h"

namespace limpet {

enum class TcpSide { kServer, kClient };

struct TcpPeerKey {
  IpAddress local;
  IpAddress remote;
  TcpSide side = TcpSide::kServer;

  friend auto operator<=>(const TcpPeerKey&, const TcpPeerKey&) = default;  // NOLINT: sees a 0
};

struct TcpPeer {
  LabelsPtr labels;
  // Counted in the last reading.
  std::uint64_t sockets = 0;
  std::uint64_t active = 0;
  std::uint64_t cwnd_sum = 0;  // over active ones
  std::uint64_t cwnd_min = 0;
  std::uint64_t rtt_us_sum = 0;  // over active ones that have one
  std::uint64_t rtt_count = 0;
  std::optional<std::uint32_t> min_rtt_us;  // least of the active ones
  // Counted since the start.
  std::uint64_t sent_again = 0;     // segments
  std::uint64_t needless = 0;       // of them, those that the peer had before
  std::uint64_t retransmits = 0;    // the rest
  std::uint64_t segments_sent = 0;  // with data, retransmits included
  std::uint64_t bytes_acked = 0;
  std::uint64_t bytes_received = 0;

  SteadyTime last_seen;
  std::uint64_t tracked = 0;  // connections that refer to this peer
};

class TcpPeers {
 public:
  struct Options {
    std::vector<PortRange> ports;
    std::size_t max_peers = 1024;
    bool exclude_loopback = true;
    bool per_socket = false;  // make labels for connections, too
  };
  // A connection of the last reading; `socket` points into what Update was given.
  struct Seen {
    const TcpSocket* socket = nullptr;
    LabelsPtr labels;
    LabelsPtr congestion_labels;  // with the algorithm; null when that is unknown
  };

  explicit TcpPeers(Options options);

  // `closed`: since the reading before.
  void Update(const TcpSockets& reading, SteadyTime now, std::span<const TcpSocket> closed = {});

  // Further ports, of servers alone: a remote port of these numbers is none of the file system.
  // Before the first reading that has their connections.
  void SetServerPorts(std::span<const PortRange> ports);

  // Called before the first Update: goes on from the sums of `before`, which is used up, whatever
  // its options were. A connection that only the new options count begins at its present value.
  void Inherit(TcpPeers& before);

  [[nodiscard]] const std::map<TcpPeerKey, TcpPeer>& Peers() const { return peers_; }
  // The connections counted by the last Update; empty without per_socket.
  [[nodiscard]] std::span<const Seen> Connections() const { return connections_; }
  [[nodiscard]] std::uint64_t Sockets() const { return sockets_; }
  // Those that had closed by the last Update.
  [[nodiscard]] std::uint64_t Closed() const { return closed_; }
  // Connections without room in Peers(), summed over readings.
  [[nodiscard]] std::uint64_t Dropped() const { return dropped_; }

 private:
  struct Labels {  // made at first sight, and only with per_socket
    LabelsPtr connection;
    LabelsPtr congestion;
    std::array<char, 16> algorithm{};  // a program may change it
  };
  struct Tracked {
    TcpPeer* peer = nullptr;  // null: no room; map nodes stay where they are
    std::uint64_t reading = 0;
    std::uint32_t retransmits = 0;
    std::uint32_t needless = 0;
    std::uint32_t segments_sent = 0;
    std::uint64_t bytes_acked = 0;
    std::uint64_t bytes_received = 0;
    std::optional<SteadyTime> last_acked;
    Labels labels;
  };

  [[nodiscard]] std::optional<TcpSide> FindSide(const TcpSocket& socket,
                                                const PortSet& heard) const;
  [[nodiscard]] bool IsCounted(const TcpSocket& socket) const;
  [[nodiscard]] TcpPeer* FindOrAddPeer(const TcpPeerKey& key);
  void Show(const TcpSocket& socket, Labels& labels);
  // Adds what has come to a connection's totals to its peer's; whether it is active.
  bool UpdateTotals(Tracked& tracked, const TcpDetails& details, bool first_sight,
                    SteadyTime now) const;
  void Count(const TcpSocket& socket, TcpSide side, SteadyTime now);
  void CountClosed(const TcpSocket& socket, TcpSide side, SteadyTime now);
  void Forget(SteadyTime now);

  Options options_;
  PortSet ports_;
  PortSet server_ports_ = PortSet(std::span<const PortRange>());
  std::map<TcpPeerKey, TcpPeer> peers_;
  std::unordered_map<std::uint64_t, Tracked> tracked_;
  std::vector<Seen> connections_;
  std::uint64_t reading_ = 0;
  std::uint64_t sockets_ = 0;
  std::uint64_t closed_ = 0;
  std::uint64_t seen_ = 0;  // by the last reading, closing ones included
  std::uint64_t dropped_ = 0;
  bool all_known_ = false;  // a connection not in tracked_ is a new one
};

}  // namespace limpet
