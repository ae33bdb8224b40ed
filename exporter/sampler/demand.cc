#include "exporter/sampler/demand.h"

#include <algorithm>

#include "exporter/sampler/schedule.h"

namespace limpet {
namespace {

constexpr std::int64_t kDoubt = 150;          // instants
constexpr std::int64_t kLongestPeriod = 120;  // instants
constexpr Duration kLongestRest = std::chrono::seconds(5);

std::int64_t InstantAt(UnixTime at, Duration interval) {
  return (NextTick(at, interval) - interval).time_since_epoch() / interval;
}

}  // namespace

void Demand::Asked(UnixTime now, UnixTime sampled) {
  const std::lock_guard lock(mutex_);
  const auto instant = InstantAt(now, interval_);
  MoveTo(instant);
  if (instant <= latest_ && latest_ - instant < kRemembered) {
    asked_.set(static_cast<std::size_t>(latest_ - instant));
  }
  if (now - sampled > 2 * interval_ || now < sampled) {
    doubt_until_ = instant + kDoubt;
  }
}

UnixTime Demand::Next(UnixTime now) {
  const std::lock_guard lock(mutex_);
  const auto before = InstantAt(now, interval_);
  const bool is_first = latest_ == INT64_MIN;
  MoveTo(before);
  if (is_first || latest_ > before) {  // the clock was set back
    latest_ = before;
    asked_.reset();
    doubt_until_ = before + kDoubt;
  }
  const auto last = before + std::max<std::int64_t>(1, kLongestRest / interval_);
  auto next = before + 1;
  while (next < last && next > doubt_until_ && !IsExpected(next)) {
    ++next;
  }
  return UnixTime(next * interval_);
}

void Demand::Restart(Duration interval) {
  const std::lock_guard lock(mutex_);
  interval_ = interval;
  latest_ = INT64_MIN;
}

bool Demand::HasAsked(std::int64_t instant) const {
  const auto back = latest_ - instant;
  return back >= 0 && back < kRemembered && asked_[static_cast<std::size_t>(back)];
}

// Somebody asked a period ago, and one before that, give or take an instant.
bool Demand::IsExpected(std::int64_t instant) const {
  for (std::int64_t period = 1; period <= kLongestPeriod; ++period) {
    const auto twice = instant - 2 * period;
    if (HasAsked(instant - period) &&
        (HasAsked(twice) || HasAsked(twice - 1) || HasAsked(twice + 1))) {
      return true;
    }
  }
  return false;
}

void Demand::MoveTo(std::int64_t instant) {
  if (latest_ == INT64_MIN || instant <= latest_) {
    return;
  }
  const auto step = instant - latest_;
  asked_ = step < kRemembered ? asked_ << static_cast<std::size_t>(step) : asked_.reset();
  latest_ = instant;
}

}  // namespace limpet
