#include "diagnoser/custom/askers.h"

#include <algorithm>
#include <functional>

#include "diagnoser/series/increase.h"

namespace limpet {
namespace {

std::size_t PlaceOf(std::int64_t tick) { return static_cast<std::size_t>(tick) % Askers::kTicks; }

std::string_view Cut(std::string_view name) { return name.substr(0, Askers::kMaxNameBytes); }

}  // namespace

std::optional<std::uint32_t> Askers::Find(std::string_view name) const {
  const auto found = index_.find(std::string(Cut(name)));
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t Askers::Add(std::string_view name, std::uint32_t source) {
  auto place = static_cast<std::uint32_t>(all_.size());
  if (free_.empty()) {
    all_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
  }
  all_[place] = Asker{.name = std::string(Cut(name)), .source = source};
  index_.emplace(all_[place].name, place);
  return place;
}

// Ticks that were passed over had no rise.
void Askers::Came(std::uint32_t place, UnixTime at, double rise) {
  auto& its = all_[place];
  its.last = std::max(its.last, at);
  since_ = std::min(since_.value_or(at), at);
  const auto tick = BinAt(at, kTick);
  if (tick > its.tick) {
    const auto from = std::max(its.tick + 1, tick - static_cast<std::int64_t>(kTicks) + 1);
    for (auto one = from; one <= tick; ++one) {
      its.rises[PlaceOf(one)] = 0;
    }
    its.tick = tick;
  }
  if (tick > its.tick - static_cast<std::int64_t>(kTicks)) {
    its.rises[PlaceOf(tick)] += static_cast<float>(rise);
  }
}

// All are summed over the same ticks, so that shares are of one thing.
std::vector<Askers::Asked> Askers::Rank(UnixTime now) const {
  const auto last = BinAt(now, kTick);
  const auto first = last - static_cast<std::int64_t>(kTicks) + 1;
  const auto known =
      std::clamp(now - since_.value_or(now), kTick, kTick * static_cast<Duration::rep>(kTicks));
  std::vector<Asked> ranked;
  double all = 0;
  for (const auto& one : all_) {
    double sum = 0;
    for (auto tick = std::max(first, one.tick - static_cast<std::int64_t>(kTicks) + 1);
         one.live && tick <= std::min(last, one.tick); ++tick) {
      sum += static_cast<double>(one.rises[PlaceOf(tick)]);
    }
    all += sum;
    if (sum > 0) {
      ranked.push_back({.name = one.name, .rate = sum / ToSeconds(known), .share = sum});
    }
  }
  for (auto& one : ranked) {
    one.share /= all;
  }
  std::ranges::stable_sort(ranked, std::greater<>(), &Asked::rate);
  return ranked;
}

std::vector<std::uint32_t> Askers::Tidy(UnixTime before) {
  std::vector<std::uint32_t> sources;
  for (std::uint32_t place = 0; place < all_.size(); ++place) {
    auto& one = all_[place];
    if (one.live && one.last < before) {
      sources.push_back(one.source);
      index_.erase(one.name);
      one = Asker();
      one.live = false;
      free_.push_back(place);
    }
  }
  return sources;
}

}  // namespace limpet
