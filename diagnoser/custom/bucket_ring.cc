#include "diagnoser/custom/bucket_ring.h"

#include <algorithm>

namespace limpet {

// A page names all buckets before the first increase, so that nothing is lost by beginning anew.
std::size_t BucketRing::FindOrAdd(double bound) {
  const auto found = std::ranges::find(bounds_, bound);
  if (found != bounds_.end()) {
    return static_cast<std::size_t>(found - bounds_.begin());
  }
  const auto number = bounds_.size();
  bounds_.push_back(bound);
  last_.push_back(latest_);
  const auto place =
      std::ranges::upper_bound(sorted_, bound, {}, [&](std::size_t one) { return bounds_[one]; });
  sorted_.insert(place, number);
  Clear();
  return number;
}

void BucketRing::Clear() {
  rises_.assign(ticks_ * bounds_.size(), 0.0F);
  since_.reset();
}

// Ticks in between were silent: nothing rose in them.
void BucketRing::MoveTo(std::int64_t tick) {
  if (tick <= latest_) {
    return;
  }
  const auto width = static_cast<std::ptrdiff_t>(bounds_.size());
  const auto from = std::max(latest_ + 1, tick - static_cast<std::int64_t>(ticks_) + 1);
  for (auto one = from; one <= tick; ++one) {
    const auto begin = rises_.begin() + static_cast<std::ptrdiff_t>(Place(one)) * width;
    std::fill(begin, begin + width, 0.0F);
  }
  latest_ = tick;
}

void BucketRing::Came(std::size_t bucket, std::int64_t tick) {
  MoveTo(tick);
  last_[bucket] = tick;
  since_ = since_.value_or(tick);
}

void BucketRing::Add(std::size_t bucket, std::int64_t tick, double increase) {
  Came(bucket, tick);
  if (tick > latest_ - static_cast<std::int64_t>(ticks_)) {
    rises_[Place(tick) * bounds_.size() + bucket] += static_cast<float>(increase);
  }
}

// Places of a tick lie side by side, so each tick is one run through memory.
std::vector<BucketRing::Bucket> BucketRing::Sum(std::int64_t after, std::int64_t upto) const {
  std::vector<Bucket> buckets;
  if (!since_ || latest_ - after > static_cast<std::int64_t>(ticks_)) {
    return buckets;
  }
  buckets.reserve(bounds_.size());
  for (const auto number : sorted_) {
    buckets.push_back({.bound = bounds_[number], .increase = 0, .last = last_[number]});
  }
  for (auto tick = after + 1; tick <= std::min(upto, latest_); ++tick) {
    const auto* const row = rises_.data() + Place(tick) * bounds_.size();
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      buckets[i].increase += static_cast<double>(row[sorted_[i]]);
    }
  }
  return buckets;
}

}  // namespace limpet
