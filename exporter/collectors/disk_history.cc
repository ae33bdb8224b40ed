#include "exporter/collectors/disk_history.h"

namespace limpet {
namespace {

std::uint64_t Completed(const DiskCounters& counters) {
  return counters.reads + counters.writes + counters.discards + counters.flushes;
}

// Without the milliseconds, which fall by wrapping, and what is in flight.
bool AnyFell(const DiskCounters& before, const DiskCounters& after) {
  return after.reads < before.reads || after.reads_merged < before.reads_merged ||
         after.sectors_read < before.sectors_read || after.writes < before.writes ||
         after.writes_merged < before.writes_merged ||
         after.sectors_written < before.sectors_written || after.discards < before.discards ||
         after.discards_merged < before.discards_merged ||
         after.sectors_discarded < before.sectors_discarded || after.flushes < before.flushes;
}

}  // namespace

void DiskHistory::Update(const DiskstatsLine& line, SteadyTime at, bool continuous) {
  const auto before = counters_;
  const auto elapsed = at - at_;
  // The 64-bit counters never wrap: one that falls is another device, or a driver that began anew.
  const bool fell = AnyFell(before, line.counters);
  const bool other = known_ && (!continuous || line.major != major_ || line.minor != minor_ ||
                                Completed(line.counters) < Completed(before));
  // Requests in flight without one completed since are what a dying disk shows first.
  const bool completed = Completed(line.counters) != Completed(before);
  new_device_ = !known_ || other;
  rates_.reset();
  replugs_ += other ? 1U : 0U;
  // A re-plugged device that counts on keeps its wraps; one that counts from 0 must not inherit
  // them.
  if (!known_ || (other && (fell || line.major != major_ || line.minor != minor_))) {
    resets_ += known_ && fell ? 1U : 0U;
    StartAnew(line.counters);
  } else if (!Continue(line.counters)) {
    ++resets_;
  } else if (!other) {
    rates_ = RatesBetween(before, counters_, elapsed);
  }
  if (new_device_) {
    progress_.reset();
  } else if (completed) {
    progress_ = at;
  }
  WatchProgress(new_device_ || completed, at);
  underflows_ += line.in_flight_negative ? 1U : 0U;
  major_ = line.major;
  minor_ = line.minor;
  has_discards_ = line.has_discards;
  has_flushes_ = line.has_flushes;
  at_ = at;
  known_ = true;
}

void DiskHistory::StartAnew(const DiskCounters& raw) {
  read_ms_ = Unwrap32(raw.read_ms);
  write_ms_ = Unwrap32(raw.write_ms);
  io_ms_ = Unwrap32(raw.io_ms);
  weighted_ms_ = Unwrap32(raw.weighted_ms);
  discard_ms_ = Unwrap32(raw.discard_ms);
  flush_ms_ = Unwrap32(raw.flush_ms);
  counters_ = raw;
}

bool DiskHistory::Continue(const DiskCounters& raw) {
  // No early return: each Unwrap32 has to see every reading.
  bool grew = !AnyFell(counters_, raw);
  grew &= read_ms_.Update(raw.read_ms);
  grew &= write_ms_.Update(raw.write_ms);
  grew &= io_ms_.Update(raw.io_ms);
  grew &= weighted_ms_.Update(raw.weighted_ms);
  grew &= discard_ms_.Update(raw.discard_ms);
  grew &= flush_ms_.Update(raw.flush_ms);
  counters_ = raw;
  SetMilliseconds();
  return grew;
}

void DiskHistory::SetMilliseconds() {
  counters_.read_ms = read_ms_.Total();
  counters_.write_ms = write_ms_.Total();
  counters_.io_ms = io_ms_.Total();
  counters_.weighted_ms = weighted_ms_.Total();
  counters_.discard_ms = discard_ms_.Total();
  counters_.flush_ms = flush_ms_.Total();
}

void DiskHistory::WatchProgress(bool completed, SteadyTime at) {
  if (counters_.in_flight == 0) {
    stuck_since_.reset();
  } else if (completed || !stuck_since_) {  // progress: the wait begins again
    stuck_since_ = at;
  }
  stuck_ = stuck_since_ ? at - *stuck_since_ : Duration::zero();
}

}  // namespace limpet
