// rates.h: servers by their rates alone: what the file system moves, how much of it passes the
// interfaces that are counted, and what a stranger moves beside it.
//
// Unlike cluster.h there is no loop: load is given, and swings. That is enough for byte balances,
// and a run takes a few milliseconds.
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/simulator/cluster.h"
#include "tests/simulator/random.h"

namespace limpet::simulator {

// What a stranger moves from RateSpec::stranger_from on, B/s.
struct Stranger {
  double read = 0;
  double written = 0;
  double sent = 0;
  double received = 0;
};

struct RatedServer {
  double load = 1;  // times the group's
  // Of the file system's bytes: those that pass counted interfaces, both ways.
  double seen = 1;
  double read = 1;        // read from disk for a byte asked for: caches less, reading ahead more
  double written = 1;     // written for a byte received: compression less, journals more
  double passed_on = 0;   // sent to, and received from, other servers for a byte written
  double hot = 0;         // B/s sent from memory
  double management = 0;  // B/s each way, of nobody's files
  double flush = 0;       // s between bursts of writing back; 0: at once
  Stranger stranger;
};

struct RateSpec {
  double read = 0;  // B/s that clients ask of a server, on average
  double written = 0;
  double disk_rate = 400e6;
  double swing = 0.4;  // of the load that all have, over four minutes
  std::vector<RatedServer> servers;
  std::size_t seconds = 300;
  std::size_t stranger_from = 120;
  std::uint64_t seed = 1;
};

class Rates {
 public:
  explicit Rates(const RateSpec& spec);

  // For Pages, with a client whose connections carry what the file system sends.
  [[nodiscard]] ClusterSpec Cluster() const {
    return {.servers = spec_.servers.size(), .clients = 1, .disk = {}, .network = {}};
  }
  // The counters at the end of the next second; null when the run is over. Valid until called
  // again.
  [[nodiscard]] const Snapshot* NextSecond();

 private:
  struct Moved {
    double read = 0;
    double written = 0;
    double sent = 0;
    double received = 0;
    double to_clients = 0;
  };
  // Of what clients and strangers ask for, the share that the disk has time for.
  [[nodiscard]] double Served(const RatedServer& own, double load) const;
  [[nodiscard]] Moved MoveBytes(std::size_t server, double common);
  void Count(std::size_t server, const Moved& moved);

  RateSpec spec_;
  Random random_;
  double phase_ = 0;
  double drift_ = 0;               // of all servers' load
  std::vector<double> own_drift_;  // of one server's
  std::vector<double> dirty_;      // bytes yet to be written
  std::vector<double> flush_at_;   // s
  Snapshot snapshot_;
};

}  // namespace limpet::simulator
