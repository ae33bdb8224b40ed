// cwnd_seconds.h: the congestion windows towards and from each server of a group, second by second.
//
// Observation of server s at second t: cwnd_client, the mean over connections client -> s on the
// file system's ports; cwnd_server, over its own connections to clients. A connection counts by its
// latest reading in (t - 2.5 s, t]; left out are loopback and those that had nothing acknowledged
// in the last 5 s, since a window only moves on the side that sends. Where connections are not
// listed one by one, limpet-exporter's means per peer stand in, weighted by their connections.
// Shared by all presets; only f differs between them.
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/loss/retransmissions.h"
#include "diagnoser/evidence/packets/delay_seconds.h"
#include "diagnoser/evidence/packets/lossy_ends.h"
#include "diagnoser/evidence/packets/node_segments.h"
#include "diagnoser/evidence/packets/recent_rise.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

// Two sides, in the order of their rows (metrics/catalog.h).
inline constexpr std::size_t kCwndSides = 2;

// What the seconds so far have left, as plain values, to be kept over a restart.
struct CwndTail {
  // The values of consecutive seconds that end with `latest`; kMissing where there is none.
  struct Column {
    std::int64_t latest = -1;
    std::vector<double> values;
  };
  struct Server {
    std::string name;
    std::array<Column, kCwndSides> observed;
    std::array<Column, kCwndSides> logs;
  };
  std::vector<Server> servers;
  std::array<Column, kCwndSides> medians;
};

// f of one side and whether it was trained.
struct CwndLimit {
  double f = 0.5;
  bool trained = false;
};

class CwndSeconds {
 public:
  // `group` is the number of a rule of kind cwnd. `keep`: seconds that LookBack can reach.
  // `max_between`: of readings of segments.
  CwndSeconds(std::uint32_t group, std::size_t keep, Duration max_between = kMaxBetween)
      : group_(group),
        keep_(keep),
        max_between_(max_between),
        nodes_(group, keep, max_between),
        ports_(group, keep, std::max(max_between, kMaxBetween), kRdmaPort),
        delays_(keep),
        ends_(keep) {}

  struct Server {
    std::string name;
    double average = 0;
    double log = 0;
  };
  struct Second {
    std::vector<Server> servers;  // by name; those with enough observations
    std::optional<double> median;
  };
  // Observes second `t` (a whole second, each once and in order; gaps are holes).
  [[nodiscard]] std::array<Second, kCwndSides> Observe(
      UnixTime t, const Directory& directory, Readings& readings,
      const std::map<std::string, std::string>& addresses, const std::vector<std::string>& masked);

  // One server's logs and the group's medians in the seconds (end - span, end]; kMissing where
  // there is none.
  struct History {
    std::vector<double> logs;
    std::vector<double> medians;
  };
  [[nodiscard]] History LookBack(const std::string& server, std::size_t side, UnixTime end,
                                 std::size_t seconds) const;
  // What one server's connections sent in the seconds (end - span, end], or were sent; what servers
  // send each other counts for both. nullopt when no exporter counts it. Known from
  // the second second on, and not kept over a restart: a gap like any other.
  [[nodiscard]] std::optional<SegmentTotals> Segments(const std::string& server, std::size_t side,
                                                      UnixTime end, std::size_t seconds) const;
  // The same of all connections of the server, whoever is at the other end.
  [[nodiscard]] std::optional<SegmentTotals> NodeTotals(const std::string& server, std::size_t side,
                                                        UnixTime end, std::size_t seconds) const {
    return nodes_.Totals(server, side, end, seconds);
  }
  // The same of the packets of its RDMA ports.
  [[nodiscard]] std::optional<SegmentTotals> RdmaTotals(const std::string& server, std::size_t side,
                                                        UnixTime end, std::size_t seconds) const {
    return ports_.Totals(server, side, end, seconds);
  }
  // Segments that the server sent its clients, a second; nullopt as above.
  [[nodiscard]] std::optional<double> SegmentsSent(const std::string& server, UnixTime end,
                                                   std::size_t seconds) const;
  // Of the segments that the server sent in these seconds, the share that went to other servers of
  // the group: replicas, and what is rebuilt. nullopt as above, or where it sent nothing.
  [[nodiscard]] std::optional<double> ShareToServers(const std::string& server, UnixTime end,
                                                     std::size_t seconds) const;
  // What servers had to send again to each other in these seconds; each pair once.
  [[nodiscard]] std::vector<PairLoss> PairLosses(UnixTime end, std::size_t seconds) const;
  // Returns, of the ends of its connections that are no servers of the group, the one with the most
  // sent again in these seconds; nullopt where nothing was.
  [[nodiscard]] std::optional<EndLoss> WorstEnd(const std::string& server, std::size_t side,
                                                UnixTime end, std::size_t seconds) const;
  // The round-trip times of its connections; of seconds as above, and not kept over a restart.
  [[nodiscard]] const DelaySeconds& Delays() const { return delays_; }
  [[nodiscard]] std::vector<std::string> Servers() const;
  // The masks have changed: the next Observe looks at all connections anew.
  void ForgetLinks() { version_.reset(); }
  void Forget(std::string_view server);

  [[nodiscard]] CwndTail Tail() const;
  // Before the first Observe.
  void Resume(const CwndTail& tail);

 private:
  // A value a second, at second modulo its size; `latest` tells which seconds are in it.
  struct Column {
    std::vector<double> values;
    std::int64_t latest = -1;
    void Put(std::int64_t second, double value, std::size_t keep);
    [[nodiscard]] CwndTail::Column Tail() const;
    void Resume(const CwndTail::Column& tail, std::size_t keep);
    [[nodiscard]] double At(std::int64_t second) const;
  };
  struct State {
    std::array<Column, kCwndSides> observed;
    std::array<Column, kCwndSides> logs;
    std::array<Column, kCwndSides> sent;  // segments a second; both empty where nobody counts them
    std::array<Column, kCwndSides> retransmitted;
    std::array<Column, kCwndSides> round_trip;  // mean of the second's segments, s
    Column to_servers;  // segments a second that it sent to others of the group
  };
  // A connection or peer and the server it tells of.
  struct Link {
    EntityKind kind;
    std::uint32_t entity;
    std::size_t side;
    std::string server;
    std::string other;  // server at the other end, empty: a client
    std::string end;    // names the other end, or of a client's connection the client
  };
  // Rare, so pairs of servers without any cost nothing.
  struct Loss {
    std::int64_t second;
    PairLoss pair;
  };
  struct Sum {
    double total = 0;
    double count = 0;
    double peer_total = 0;
    double peer_count = 0;
    [[nodiscard]] double Mean() const;
  };
  using Sums = std::map<std::string, std::array<Sum, kCwndSides>, std::less<>>;

  void FindLinks(const Directory& directory, const std::map<std::string, std::string>& addresses,
                 const std::vector<std::string>& masked);
  // By name, so that sums do not depend on which node was heard of first.
  void SortLinks(const Directory& directory);
  [[nodiscard]] Sums SumsAt(UnixTime t, Readings& readings) const;
  void AddSegments(UnixTime t, Readings& readings);
  void AddRoundTrips(UnixTime t, Readings& readings);
  void ForgetLosses(std::int64_t second);

  std::uint32_t group_;
  std::size_t keep_;
  Duration max_between_;
  NodeSegments nodes_;
  NodeSegments ports_;
  std::optional<std::uint64_t> version_;  // of the directory that links_ were made from
  std::vector<Link> links_;
  std::map<std::string, State, std::less<>> servers_;
  std::array<Column, kCwndSides> medians_;
  std::deque<Loss> losses_;  // oldest first
  DelaySeconds delays_;
  LossyEnds ends_;
};

}  // namespace limpet
