#include "diagnoser/mapping/series_cache.h"

namespace limpet {

void SeriesCache::Follow(std::uint32_t entry) {
  (previous_ == kNone ? first_ : entries_[previous_].next) = entry;
  previous_ = entry;
}

const SeriesTarget* SeriesCache::Find(std::string_view series) {
  const auto guess = previous_ == kNone ? first_ : entries_[previous_].next;
  if (guess != kNone && entries_[guess].series == series) {
    previous_ = guess;
    return &entries_[guess].target;
  }
  const auto found = index_.find(series);
  if (found == index_.end()) {
    return nullptr;
  }
  Follow(found->second);
  return &entries_[found->second].target;
}

const SeriesTarget* SeriesCache::Add(std::string_view series, const SeriesTarget& target) {
  const auto number = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.series = std::string(series), .target = target, .next = kNone});
  index_.emplace(entries_.back().series, number);
  Follow(number);
  return &entries_.back().target;
}

}  // namespace limpet
