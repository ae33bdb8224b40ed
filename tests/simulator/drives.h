// drives.h: drives of many hosts under an open load, as a store of 15 s readings shows them.
//
// No closed loop and no file system: every host has its own load that swings over the day, which
// its drives share almost evenly; a request takes the drive's own time, longer under load. What
// real drives do besides (docs/decisions/0151) can be asked for: more throughput on one drive for a
// while, busy time that is capped by wall time always or now and then, latencies of NVMe, drives
// that are slow for good. Same specs, same numbers, on every machine. Threads: one object, one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulator/random.h"

namespace limpet::simulator {

// Something about one drive for some time.
struct DriveChange {
  std::size_t host = 0;
  std::size_t drive = 0;
  double latency = 1;     // factor of each request's time
  double load = 1;        // factor of its requests
  std::int64_t from = 0;  // seconds since the beginning
  std::int64_t to = INT64_MAX;
};

// What the source says of the time that a drive is busy.
enum class BusyTime : std::uint8_t {
  kDevice,     // the drive's part of its requests' time, which overlaps little
  kKernel,     // all of it, as a kernel counts: a second a second at most
  kRandom,     // as a kernel does where requests come at random: 1 - exp(-in flight)
  kUncapped,   // all of it, as programs do that add up requests
  kSaturated,  // so many requests are in flight at once that every drive is always busy
  kAbsent,
};

struct DrivesSpec {
  std::size_t hosts = 4;
  std::size_t drives = 12;
  double latency = 0.008;  // s, of a request at little load
  double requests = 40;    // a second and drive, on average
  double request_bytes = 65536;
  double unlike = 0.04;  // standard deviation of the drives' own latencies around their mean
  double uneven = 0;     // and of their shares in their host's load, for good
  bool flash = false;
  BusyTime busy_time = BusyTime::kDevice;
  std::int64_t step = 15;  // s
  std::uint64_t seed = 1;
  std::vector<DriveChange> changes;
};

class Drives {
 public:
  explicit Drives(const DrivesSpec& spec);

  // Goes on by a step; the counters of all drives then.
  void Next();
  // The counters of a host begin anew.
  void Restart(std::size_t host);
  // Seconds since the beginning.
  [[nodiscard]] std::int64_t Second() const { return second_; }
  // limpet-exporter's page of a host: its disks sda, sdb, …
  [[nodiscard]] std::string Page(std::size_t host) const;

 private:
  struct Drive {
    double speed = 1;  // no two drives are alike
    double share = 1;  // nor need they be used alike
    double drift = 0;  // of its share in the host's load, slowly varying
    double requests = 0;
    double seconds = 0;  // of all requests
    double busy = 0;
    std::vector<DriveChange> changes;  // of this drive, in the order of the spec
  };
  void Work(std::size_t host, std::size_t drive, double host_load);

  DrivesSpec spec_;
  Random random_;
  std::vector<double> swing_;  // of each host's load, slowly varying
  std::vector<std::vector<Drive>> hosts_;
  std::int64_t second_ = 0;
};

}  // namespace limpet::simulator
