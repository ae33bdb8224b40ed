// hardware.h: servers as sites build them (hardware_parts.h), with a file system's load on them, as
// pages of either exporter.
//
// Load swings, and waits for disks that are behind; these queue and write back. Threads: one
// object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulator/hardware_parts.h"
#include "tests/simulator/random.h"

namespace limpet::simulator {

struct Site {
  std::string name;
  std::vector<ServerText> servers;  // in turn, until there are enough
  double read = 0.6;                // share of reads
  bool by_size = false;             // larger disks get as much more of the load
  double rate = 1;                  // times the usual load
  double swing = 0.4;               // of the load all have, over five minutes
  bool phases = false;              // all work for half a minute and rest for as long
  bool one_works = false;           // the third server alone
  double uneven = 0;                // disks' shares of the load differ by as much
  double log = 0;                   // B/s that a monitor writes to its server's system disk
  std::size_t monitors = 2;         // so many of the first servers have one
  bool log_is_read = false;         // and it reads as much in place of writing
  bool legs = false;      // pairs of data disks are mirrors, of which one at a time is read
  bool failover = false;  // at second 250 the third server's second disk goes by its last path
  double passed_on = 0;   // sent to another server for a byte written
  double cached = 0;      // read from memory, of all that is read
  double flush = 0;       // s between bursts of writing back; 0: at once
  bool ticks = false;     // kernels that count a whole clock tick for the first request in it
};

enum class Trouble : std::uint8_t { kNone, kSlowDisk, kDiskHog, kNetworkHog };

struct HardwareSpec {
  Site site;
  std::size_t count = 6;       // servers
  double load = 1;             // of the third server, times the others'
  bool node_exporter = false;  // else limpet-exporter
  bool facts = true;           // of disks: models, sizes, mount points
  Trouble trouble = Trouble::kNone;
  double factor = 6;              // how much longer the slow disk takes
  std::int64_t from = INT64_MAX;  // second in which the trouble begins, at the second server
  std::uint64_t seed = 1;
};

class Hardware {
 public:
  explicit Hardware(const HardwareSpec& spec);

  // The counters after another second.
  void NextSecond();
  [[nodiscard]] std::string Page(std::size_t server) const;
  [[nodiscard]] static std::string Name(std::size_t server);
  // The server in trouble, and its disk.
  static constexpr std::size_t kSick = 1;
  [[nodiscard]] const HardDisk& SickDisk() const;

 private:
  struct Bytes {
    double read = 0;
    double written = 0;
  };
  void Move(std::size_t number, double common);
  // Of one disk in this second; adds what clients asked of it.
  [[nodiscard]] Bytes Ask(std::size_t number, std::size_t place, double load, Bytes& asked);
  void MoveDisk(HardDisk& disk, const Bytes& bytes, bool sick);
  void MoveNetwork(std::size_t number, const Bytes& asked);
  [[nodiscard]] bool IsInTrouble(std::size_t number, Trouble trouble) const;
  [[nodiscard]] double Noise(double deviation);

  HardwareSpec spec_;
  Random random_;
  std::int64_t second_ = 0;
  double phase_ = 0;
  double drift_ = 0;
  std::vector<HardServer> servers_;
};

// The sites of the matrix: what ordinary servers are made of, and what they do.
[[nodiscard]] std::vector<Site> Sites();

}  // namespace limpet::simulator
