// disk_prober.h: has the exporters of a suspect and of its peers read their disks, and collects
// what they say.
//
// One round at a time, its disks at once; kMaxWaiting rounds wait, further ones are dropped. An
// exporter that has not come to an end after kPatience is given up.
// Threads: Ask from any thread; the sink is called on the fetcher's, which must be stopped before
// this is destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/probe_answer.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/time.h"

namespace limpet {

struct ProbedTarget {
  std::string node;
  std::string device;
  Endpoint endpoint;  // of its metrics page
};
using ProbeRound = std::vector<ProbedTarget>;     // the suspect's first
using ProbeReadings = std::vector<ProbeReading>;  // in the same order

class DiskProber {
 public:
  using Sink = std::function<void(ProbeReadings)>;
  static constexpr std::size_t kMaxWaiting = 4;
  static constexpr Duration kPatience = std::chrono::seconds(75);
  static constexpr Duration kFirstPause = std::chrono::milliseconds(250);
  static constexpr Duration kLongestPause = std::chrono::seconds(2);

  // Fetcher and clock must outlive it.
  DiskProber(Fetcher& fetcher, const Clock& clock, Sink sink)
      : fetcher_(fetcher), clock_(clock), sink_(std::move(sink)) {}

  void Ask(ProbeRound round);

 private:
  struct Disk {
    std::unique_ptr<Connection> connection;
    ProbeReading reading;
    Duration pause = kFirstPause;
    bool done = false;
  };

  void Begin(const ProbeRound& round);
  void Get(std::size_t number);
  void Handle(std::size_t number, const FetchResult& result);
  void Finish(std::size_t number, ProbeReading reading);

  Fetcher& fetcher_;
  const Clock& clock_;
  Sink sink_;
  // The fetcher's thread only:
  std::deque<ProbeRound> waiting_;
  std::vector<Disk> disks_;  // of the round under way; empty: none is
  SteadyTime deadline_;
};

// "/metrics" and "sdb": "/probe/disk?device=sdb", below whatever stands before /metrics.
[[nodiscard]] std::string ProbePath(const std::string& metrics_path, const std::string& device);

}  // namespace limpet
