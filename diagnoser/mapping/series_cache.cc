#include "diagnoser/mapping/series_cache.h"

#include <algorithm>
#include <functional>

namespace limpet {
namespace {

constexpr std::size_t kFirstBlock = 1U << 10U;  // bytes; doubled up to the next
constexpr std::size_t kLargestBlock = 64U << 10U;
constexpr std::size_t kFirstSlots = 16;

// The standard library's hash is seeded by nobody, but a page can only slow down its own cache, and
// that to the length of the page a line.
std::uint32_t Hash(std::string_view text) {
  const auto hash = std::hash<std::string_view>()(text);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace

void SeriesCache::Follow(std::uint32_t number) {
  (previous_ == kNone ? first_ : entries_[previous_].next) = number;
  Came(number);
}

std::uint32_t SeriesCache::Find(std::string_view text) {
  // A page has the same lines in the same order nearly every time, so no hash is needed.
  const auto guess = Expected();
  if (guess != kNone && entries_[guess].Text() == text) {
    Came(guess);
    return guess;
  }
  if (slots_.empty()) {
    return kNone;
  }
  const auto hash = Hash(text);
  const auto mask = slots_.size() - 1;
  for (auto slot = hash & mask; slots_[slot] != kNone; slot = (slot + 1) & mask) {
    const auto number = slots_[slot];
    if (entries_[number].hash == hash && entries_[number].Text() == text) {
      Follow(number);
      return number;
    }
  }
  return kNone;
}

std::uint32_t SeriesCache::Add(std::string_view text, LineKind kind, const SeriesTarget& target) {
  // At most half full, so that runs of taken slots stay short.
  if (slots_.size() < 2 * (entries_.size() + 1)) {
    Grow();
  }
  const auto number = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.text = Keep(text),
                      .size = static_cast<std::uint32_t>(text.size()),
                      .hash = Hash(text),
                      .next = kNone,
                      .page = page_,
                      .kind = kind,
                      .shape = {},
                      .target = target});
  const auto mask = slots_.size() - 1;
  auto slot = entries_.back().hash & mask;
  while (slots_[slot] != kNone) {
    slot = (slot + 1) & mask;
  }
  slots_[slot] = number;
  ++sizes_[static_cast<std::size_t>(kind)];
  bytes_ += text.size();
  without_room_ += target.no_room ? 1 : 0;
  other_bytes_ += kind == LineKind::kSeries ? 0 : text.size();
  Follow(number);
  return number;
}

void SeriesCache::ForgetUnseen(std::uint32_t pages) {
  const auto is_old = [&](const Entry& entry) { return page_ - entry.page >= pages; };
  if (page_ % pages != 0 || 4 * std::count_if(entries_.begin(), entries_.end(), is_old) <
                                static_cast<std::ptrdiff_t>(entries_.size())) {
    return;
  }
  SeriesCache kept;
  kept.page_ = page_;
  // In the old order, which most pages still have: each follows the one that is kept before it.
  for (const auto& entry : entries_) {
    if (!is_old(entry)) {
      const auto number = kept.Add(entry.Text(), entry.kind, entry.target);
      kept.entries_[number].page = entry.page;
      kept.entries_[number].shape = entry.shape;
    }
  }
  *this = std::move(kept);
}

void SeriesCache::Grow() {
  slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), kNone);
  const auto mask = slots_.size() - 1;
  for (std::uint32_t number = 0; number < entries_.size(); ++number) {
    auto slot = entries_[number].hash & mask;
    while (slots_[slot] != kNone) {
      slot = (slot + 1) & mask;
    }
    slots_[slot] = number;
  }
}

const char* SeriesCache::Keep(std::string_view text) {
  if (block_left_ < text.size() || block_at_ == nullptr) {
    // Entries point into the blocks, so these never move; small sources shall not pay for 64 KiB.
    const auto doubled = kFirstBlock << std::min<std::size_t>(blocks_.size(), 6);
    block_left_ = std::max(std::min(doubled, kLargestBlock), text.size());
    blocks_.push_back(std::make_unique<char[]>(block_left_));
    block_at_ = blocks_.back().get();
  }
  char* const kept = block_at_;
  std::copy(text.begin(), text.end(), kept);
  block_at_ += text.size();
  block_left_ -= text.size();
  return kept;
}

}  // namespace limpet
