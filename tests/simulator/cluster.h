// cluster.h: clients, servers and what is between them, as one closed loop of events.
//
//   Cluster cluster({.servers = 10}, {.workload = Workload::kDdr, .seed = 7});
//   while (const Snapshot* now = cluster.NextSecond()) …
//
// A client goes on when the slowest server has answered, so requests queue at the slowest disk,
// whoever that is. Beside the workload every server has a journal that is committed every few
// seconds, a daemon that sometimes stops for a moment, and now and then a small cron job; none of
// these is a fault.
// Same specs, same numbers, on every machine.
// Threads: one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <queue>
#include <string_view>
#include <vector>

#include "tests/simulator/disk.h"
#include "tests/simulator/faults.h"
#include "tests/simulator/network.h"
#include "tests/simulator/random.h"
#include "tests/simulator/seconds.h"
#include "tests/simulator/tcp.h"
#include "tests/simulator/workload.h"

namespace limpet::simulator {

// The hardware: the same for every run of a cluster.
struct ClusterSpec {
  std::size_t servers = 10;
  // Ten machines, whatever the number of servers; their links grow with it (000 has as many clients
  // as servers, each with a Gigabit).
  std::size_t clients = 10;
  std::uint64_t seed = 1;
  // Standard deviation of the disks' service times around their mean, cut at twice that. [Kasick10
  // §12] only says that the same make and model behave "slightly differently".
  double disk_spread = 0.015;
  std::optional<std::size_t> slow_disk;  // this one takes slow_factor, whatever the dice say
  double slow_factor = 1.02;
  double older_factor = 1;  // every second server's disk takes so many times as long
  // Share of the reads that servers answer from memory; the first server's own share.
  double cached = 0;
  std::optional<double> cached_first;
  DiskSpec disk;
  NetworkSpec network;
};

// Which servers hold the parts of a client's file.
enum class Placement {
  kAll,    // stripes on every server
  kHalf,   // all files on the same half of them
  kOne,    // each client's file on one server, picked at random
  kHeavy,  // on every server, and on one of them twice as much
};
inline constexpr std::array kPlacements = {Placement::kAll, Placement::kHalf, Placement::kOne,
                                           Placement::kHeavy};
[[nodiscard]] std::string_view Name(Placement placement);

struct RunSpec {
  Workload workload = Workload::kDdr;
  std::uint64_t seed = 1;
  std::size_t seconds = 600;  // [Kasick10 §8]
  Placement placement = Placement::kAll;
  std::vector<Injection> injections;
  bool background = true;  // journals, pauses and cron jobs
};

struct ConnectionSnapshot {
  double cwnd = 0;   // segments, whole
  double acked = 0;  // bytes since it began
  double sent = 0;   // segments, too, and the next
  double again = 0;
};
// Cumulative counters at the end of a second.
struct Snapshot {
  std::size_t second = 0;  // 1 is the end of the first
  std::vector<DiskSecond> disks;
  std::vector<std::size_t> in_flight;
  std::vector<NetSecond> interfaces;
  std::vector<ConnectionSnapshot> up;    // the client's side: client * servers + server
  std::vector<ConnectionSnapshot> down;  // the server's side: server * clients + client
};

class Cluster {
 public:
  Cluster(const ClusterSpec& cluster, const RunSpec& run);

  // The counters at the end of the next second; null when the run is over. Valid until called
  // again.
  [[nodiscard]] const Snapshot* NextSecond();

  // For tests: what clients asked of disks and what they have got an answer to.
  struct Account {
    double asked = 0;     // bytes of jobs handed to a disk
    double answered = 0;  // of those that were answered
    std::size_t steps = 0;
  };
  [[nodiscard]] const Account& Books() const { return account_; }
  [[nodiscard]] double DiskFactor(std::size_t server) const { return factors_[server]; }
  // Bytes in jobs that are still at a disk.
  [[nodiscard]] double Waiting() const { return account_.asked - account_.answered; }

 private:
  enum class Kind : std::uint8_t {
    kBegin,    // a client begins its step
    kPiece,    // a client puts the next piece of a striped write on its link
    kArrive,   // a request is whole at a server
    kDisk,     // a disk ends a service
    kJournal,  //
    kPause,    // a daemon stops
    kCron,     // a cron job begins
    kCronRead,
    kFaultOn,
    kFaultOff,
    kHogTurn,  // a disk hog with a share wants its next turn
  };
  struct Event {
    Seconds at{0};
    std::uint64_t number = 0;  // order of events at the same instant
    Kind kind = Kind::kBegin;
    std::uint32_t client = 0;
    std::uint32_t server = 0;
    bool operator<(const Event& other) const {  // the earliest is on top of the queue
      return at != other.at ? at > other.at : number > other.number;
    }
  };
  struct ClientState {
    Client process;
    Link tx;
    Link rx;
    Step step;
    std::vector<std::size_t> servers;  // of its stripes, in order
    std::size_t pending = 0;           // servers whose answer is missing
    std::size_t sent = 0;              // pieces of a striped write
    std::size_t first = 0;             // place in `servers` of the first piece
    Seconds latest{0};                 // answer so far
  };
  struct ServerState {
    Disk disk;
    Interface net;
    Seconds paused{0};  // until
    Seconds cron_until{0};
  };

  void Schedule(Seconds at, Kind kind, std::size_t client, std::size_t server);
  void Handle(const Event& event);
  void HandleBackground(const Event& event);
  void Begin(std::size_t client, Seconds now);
  void AskAll(std::size_t client, Seconds at);
  void Ask(std::size_t client, std::size_t server, Seconds at);
  void SendPiece(std::size_t client, Seconds now);
  void Arrive(std::size_t client, std::size_t server, Seconds now);
  void DiskDone(std::size_t server, Seconds now);
  [[nodiscard]] bool FromMemory(std::size_t server);
  void Reply(std::size_t client, std::size_t server, double bytes, bool write, Seconds now);
  void Answered(std::size_t client, Seconds at);
  void Submit(std::size_t server, const DiskJob& job, Seconds now);
  void SetFault(std::size_t injection, bool on, Seconds now);
  [[nodiscard]] std::vector<std::size_t> PlaceFile();
  // Of a fault of this kind that is on at the server, 0 without one.
  [[nodiscard]] double LossBy(Fault fault, std::size_t server) const;
  void HogTurn(std::size_t injection, Seconds now);

  // Both return when the last byte is there.
  Seconds Upload(std::size_t client, std::size_t server, double bytes, Seconds at);
  Seconds Download(std::size_t client, std::size_t server, double bytes, Seconds at);
  [[nodiscard]] TcpPath PathOf(const Link::Turn& server_turn, const Link::Turn& client_turn,
                               std::size_t server, bool up) const;
  void Collect(std::size_t second);

  ClusterSpec spec_;
  RunSpec run_;
  Random random_;
  double client_links_;  // rate of a client's link in those of a server's
  std::vector<double> factors_;
  std::vector<ClientState> clients_;
  std::vector<ServerState> servers_;
  std::vector<TcpSender> up_;
  std::vector<TcpSender> down_;
  std::vector<bool> faulty_;  // by injection: it is on
  std::size_t special_ = 0;   // of the placement: where the half begins, who has twice as much
  std::priority_queue<Event> events_;
  std::uint64_t event_number_ = 0;
  std::size_t second_ = 0;
  Snapshot snapshot_;
  Account account_;
};

}  // namespace limpet::simulator
