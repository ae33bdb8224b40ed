// prober.h: who may have a disk read when: the desk in front of timed_reads.h.
//
// A question starts a probe and is answered at once (kRunning); asked again, it has the result.
// Bounds:  one probe at a time, one of each disk an `interval`: whoever asks earlier gets the last
//          result, with its time. Results of kMaxResults disks are kept.
// Hanging: a read of a dead disk may never return. After `patience` that is the result
//          (kNoAnswer), and its thread is left behind; no other probe of that disk begins before it
//          returns, and none at all while AbandonableWork::kMaxHanging hang.
// Threads: any may call; the disk is opened and read on a thread of its own, so nobody waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "exporter/common/abandoned.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/probe/probed_disk.h"
#include "exporter/probe/timed_reads.h"

namespace limpet {

struct ProbeOptions {
  bool enabled = false;
  Duration interval = std::chrono::minutes(5);   // between two probes of a disk
  Duration patience = std::chrono::seconds(10);  // no read begins after half of it
  bool operator==(const ProbeOptions&) const = default;
};

struct ProbeAnswer {
  enum class State {
    kOff,       // probes are not enabled
    kBadName,   // not the name of a disk
    kBusy,      // another disk is being read, or too many hang: ask again
    kRunning,   // this one is: ask again
    kDone,      // `reads`
    kNoAnswer,  // the disk has not answered a read for `waited`
    kFailed,    // `error`
  };
  State state = State::kOff;
  Duration age{};  // since the probe began; of kDone and kFailed
  TimedReads reads{};
  Duration waited{};
  Error error{};
};

class Prober {
 public:
  static constexpr std::size_t kMaxResults = 1024;

  // The clock is shared with probes that hang.
  Prober(const ProbeOptions& options, OpenProbedDisk open, std::shared_ptr<const Clock> clock,
         LogSink log);

  [[nodiscard]] ProbeAnswer Ask(const std::string& device);
  // Counts from the next question on.
  void SetOptions(const ProbeOptions& options);

  // limpet_probe_reads_total.
  [[nodiscard]] Families Metrics() const;

 private:
  using Reads = Result<TimedReads>;

  void TakeResult();
  void Keep(ProbeAnswer answer);
  [[nodiscard]] std::optional<ProbeAnswer> FindResult(const std::string& device);
  [[nodiscard]] bool Start(const std::string& device);

  const OpenProbedDisk open_;
  const std::shared_ptr<const Clock> clock_;
  const LogSink log_;
  std::shared_ptr<std::atomic<std::uint64_t>> reads_;  // shared with probes that hang
  mutable std::mutex mutex_;                           // of all below
  ProbeOptions options_;
  AbandonableWork<Reads> work_;
  std::string running_;  // which disk
  SteadyTime began_;
  struct Kept {
    ProbeAnswer answer;
    SteadyTime began;
  };
  std::map<std::string, Kept> results_;
};

}  // namespace limpet
