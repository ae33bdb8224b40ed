#include "tests/simulator/disk.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limpet::simulator {

std::size_t Disk::RequestsOf(double bytes) const {
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::ceil(bytes / spec_.request_bytes - 1e-9)));
}

std::size_t Disk::InFlight() const {
  return static_cast<std::size_t>(in_flight_) + hog_queue_.size();
}

// Half of what is in service is done on average.
void Disk::Accrue(Seconds now) {
  if (now <= accrued_) {
    return;
  }
  const double in_flight =
      in_flight_ - completing_ / 2 + static_cast<double>(hog_ ? hog_queue_.size() : 0);
  const double total = in_flight * (now - accrued_).count();
  if (total > 0) {
    seconds_.Spread(accrued_, now,
                    [&](DiskSecond& row, double part) { row.weighted_seconds += total * part; });
  }
  accrued_ = now;
}

std::optional<Seconds> Disk::Submit(DiskJob job, Seconds now) {
  Accrue(now);
  job.submitted = now;
  in_flight_ += static_cast<double>(RequestsOf(job.bytes));
  queue_.push_back(job);
  return working_ ? std::nullopt : StartNext(now);
}

std::optional<Seconds> Disk::Finish(Seconds now) {
  Accrue(now);
  for (const auto& job : serving_) {
    in_flight_ -= static_cast<double>(RequestsOf(job.bytes));
  }
  completing_ = 0;
  finished_ = std::exchange(serving_, {});
  return StartNext(now);
}

std::optional<Seconds> Disk::SetHog(bool on, Seconds now) {
  Accrue(now);
  hog_ = on;
  paced_ = false;
  hog_queue_.clear();
  if (!on) {
    return std::nullopt;
  }
  hog_queue_.assign(spec_.hog_in_flight, now);
  return working_ ? std::nullopt : StartNext(now);
}

// Queues what a slice is enough for; a turn that is still waiting is not wanted twice.
std::optional<Seconds> Disk::TakeTurn(Seconds now) {
  Accrue(now);
  hog_ = true;
  paced_ = true;
  const auto each = spec_.request_bytes / spec_.rate;
  hog_queue_.resize(std::max<std::size_t>(1, static_cast<std::size_t>(spec_.slice.count() / each)),
                    now);
  return working_ ? std::nullopt : StartNext(now);
}

std::optional<Seconds> Disk::StartNext(Seconds now) {
  const bool hogs_turn =
      hog_ && !hog_queue_.empty() && (queue_.empty() || own_slice_ >= spec_.slice);
  working_ = hogs_turn || !queue_.empty();
  if (!working_) {
    return std::nullopt;
  }
  const auto end = hogs_turn ? StartHog(now) : StartJobs(now);
  seconds_.Spread(now, end, [&](DiskSecond& row, double part) {
    row.busy_seconds += (end - now).count() * part;
  });
  return end;
}

Seconds Disk::Position() {
  return random_.Uniform(spec_.seek_least, spec_.seek_most) +
         random_.Uniform(Seconds(0), spec_.rotation);
}

Seconds Disk::StartJobs(Seconds now) {
  serving_.push_back(queue_.front());
  queue_.pop_front();
  const auto first = serving_.front();
  double bytes = first.bytes;
  while (first.coalesce && !queue_.empty() && queue_.front().coalesce &&
         serving_.size() < spec_.coalesce_most) {
    bytes += queue_.front().bytes;
    serving_.push_back(queue_.front());
    queue_.pop_front();
  }
  // Coalesced jobs are one request on the wire; the others are cut up.
  const std::size_t requests = RequestsOf(bytes);
  auto time = Position() + Seconds(bytes / spec_.rate);
  if (first.extra_seek) {
    time += Position();
  }
  if (foreign_) {
    for (std::size_t i = 0; i < requests; ++i) {
      time += Position() + Seconds(spec_.foreign_bytes / spec_.rate) + Position();
    }
  }
  time *= spec_.factor * slowdown_ * std::max(0.5, random_.Normal(1, spec_.jitter));
  if (random_.Chance(spec_.retries)) {
    time += random_.Uniform(spec_.rotation, spec_.retry_most);
  }
  own_slice_ += time;
  completing_ = 0;
  for (const auto& job : serving_) {
    completing_ += static_cast<double>(RequestsOf(job.bytes));
  }
  const double each = bytes / static_cast<double>(requests);
  for (std::size_t i = 1; i <= requests; ++i) {
    const auto done = now + time * (static_cast<double>(i) / static_cast<double>(requests));
    auto& row = seconds_.At(done);
    (first.write ? row.writes : row.reads) += 1;
    (first.write ? row.written_bytes : row.read_bytes) += each;
    (first.write ? row.write_seconds : row.read_seconds) += (done - first.submitted).count();
  }
  return now + time;
}

Seconds Disk::StartHog(Seconds now) {
  own_slice_ = Seconds(0);
  const double factor = spec_.factor * slowdown_;
  const auto each = Seconds(spec_.request_bytes / spec_.rate) * factor;
  auto done = now + Position() * factor;
  do {
    done += each * std::max(0.5, random_.Normal(1, spec_.jitter));
    auto& row = seconds_.At(done);
    row.reads += 1;
    row.read_bytes += spec_.request_bytes;
    row.read_seconds += (done - hog_queue_.front()).count();
    hog_queue_.pop_front();
    if (!paced_) {
      hog_queue_.push_back(done);
    }
  } while (done - now < spec_.slice && !hog_queue_.empty());
  return done;
}

}  // namespace limpet::simulator
