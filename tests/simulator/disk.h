// disk.h: one disk behind one server: a queue, an arm, and the counters the kernel keeps of it.
//
// Time to serve a job = (seek + half-random rotation + bytes / rate) x the disk's own factor x
// jitter, rarely a retry. Jobs are cut into block requests of at most request_bytes; each counts in
// the counters when it completes.
// A hog ([Kasick10 §9], dd with direct I/O) takes turns with the server's process, 100 ms each, as
// the fair queueing scheduler of 000's kernel (CFQ) deals slices; its requests are counted. It may
// also want no more than a turn now and then. A foreign user ([Kasick10 §9], sgm_dd) slips one
// command of its own in after every request: nobody counts it, the requests just take longer.
// Threads: one.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tests/simulator/random.h"
#include "tests/simulator/seconds.h"

namespace limpet::simulator {

// Origin: Seagate's data sheet of the Barracuda 7200.10 [Kasick10 §8]: 78 MB/s at the outer tracks,
// 7200 rpm; the papers' files fill the first tenth of it, so seeks are short ones. 512 KiB is the
// kernel's default max_sectors_kb.
struct DiskSpec {
  double rate = 75e6;  // bytes/s
  Seconds seek_least{0.0015};
  Seconds seek_most{0.006};
  Seconds rotation{0.00833};        // of one turn
  double request_bytes = 524288;    // largest block request
  double factor = 1.0;              // on every service time: no two disks are alike
  double jitter = 0.05;             // standard deviation of a job's service time
  double retries = 5e-4;            // part of jobs that are read or written again
  Seconds retry_most{0.12};         //
  Seconds slice{0.1};               // CFQ's slice_sync
  std::size_t hog_in_flight = 128;  // nr_requests: what dd's 256 MB block may queue at once
  double foreign_bytes = 1 << 20;   // sgm_dd bs=1M
  std::size_t coalesce_most =
      8;  // metadata operations in one commit (PVFS CoalescingHighWatermark)
};

struct DiskJob {
  bool write = false;
  double bytes = 0;
  bool extra_seek = false;  // allocates or syncs: the arm moves once more
  bool coalesce = false;    // may share a commit with others of its kind
  std::uint64_t token = 0;  // the caller's
  Seconds submitted{0};
};

// Increases of the kernel's counters in one second (Documentation/admin-guide/iostats.rst).
struct DiskSecond {
  double reads = 0;
  double writes = 0;
  double read_bytes = 0;
  double written_bytes = 0;
  double read_seconds = 0;
  double write_seconds = 0;
  double busy_seconds = 0;
  double weighted_seconds = 0;
};

class Disk {
 public:
  Disk(const DiskSpec& spec, std::size_t seconds, std::uint64_t seed)
      : spec_(spec), seconds_(seconds), random_(seed) {}

  // Queues a job. Returns the end of the service that begins now, when the disk was idle.
  [[nodiscard]] std::optional<Seconds> Submit(DiskJob job, Seconds now);
  // The service that was to end now has. Its jobs are in Finished() until the next call; returns
  // the end of the next service, nullopt when there is nothing to do.
  [[nodiscard]] std::optional<Seconds> Finish(Seconds now);
  [[nodiscard]] const std::vector<DiskJob>& Finished() const { return finished_; }

  // From now on. Returns the end of the service that begins now, when the disk was idle.
  [[nodiscard]] std::optional<Seconds> SetHog(bool on, Seconds now);
  // A hog that wants one turn, and no other until it is called again; the rest as SetHog.
  [[nodiscard]] std::optional<Seconds> TakeTurn(Seconds now);
  // How many times as long every service takes from now on.
  void SetSlowdown(double times) { slowdown_ = times; }
  void SetForeign(bool on) { foreign_ = on; }

  // Brings the queue's own counter up to `now` (at the end of each second).
  void Accrue(Seconds now);
  [[nodiscard]] const BySecond<DiskSecond>& History() const { return seconds_; }
  [[nodiscard]] std::size_t InFlight() const;

 private:
  [[nodiscard]] std::optional<Seconds> StartNext(Seconds now);
  [[nodiscard]] Seconds StartJobs(Seconds now);
  [[nodiscard]] Seconds StartHog(Seconds now);
  [[nodiscard]] Seconds Position();
  [[nodiscard]] std::size_t RequestsOf(double bytes) const;

  DiskSpec spec_;
  BySecond<DiskSecond> seconds_;
  Random random_;
  std::deque<DiskJob> queue_;
  std::vector<DiskJob> serving_;
  std::vector<DiskJob> finished_;
  bool working_ = false;
  bool hog_ = false;
  bool paced_ = false;  // the hog wants single turns
  bool foreign_ = false;
  double slowdown_ = 1;
  Seconds own_slice_{0};           // of the server's process, used since the hog's last turn
  std::deque<Seconds> hog_queue_;  // when its requests were queued
  double in_flight_ = 0;           // block requests queued or in service
  double completing_ = 0;          // of them, in service (they leave one by one)
  Seconds accrued_{0};
};

}  // namespace limpet::simulator
