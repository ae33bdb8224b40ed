#include "diagnoser/pipeline/readings.h"

#include <algorithm>
#include <iterator>

#include "diagnoser/series/metrics.h"

namespace limpet {

bool RecentReadings::Add(UnixTime at, double value) {
  if (!readings_.empty() && at <= readings_.back().at) {
    return false;
  }
  if (readings_.size() == kMost) {
    readings_.erase(readings_.begin());
  }
  readings_.push_back({.at = at, .value = value});
  return true;
}

const RecentReadings::Reading* RecentReadings::Latest(UnixTime at) const {
  const auto after = std::upper_bound(readings_.begin(), readings_.end(), at,
                                      [](UnixTime t, const Reading& r) { return t < r.at; });
  return after == readings_.begin() ? nullptr : &*std::prev(after);
}

void RecentReadings::Prune(UnixTime at) {
  const auto* keep = Latest(at);
  if (keep != nullptr) {
    readings_.erase(readings_.begin(), readings_.begin() + (keep - readings_.data()));
  }
}

std::optional<UnixTime> RecentReadings::Last() const {
  return readings_.empty() ? std::nullopt : std::optional(readings_.back().at);
}

std::optional<UnixTime> RecentReadings::NextAfter(UnixTime at) const {
  const auto after = std::upper_bound(readings_.begin(), readings_.end(), at,
                                      [](UnixTime t, const Reading& r) { return t < r.at; });
  return after == readings_.end() ? std::nullopt : std::optional(after->at);
}

ReadingKind Readings::AddToSocket(Field field, std::uint32_t thing, UnixTime at, double value) {
  auto& all = field.kind == ThingKind::kSocket ? sockets_ : peers_;
  if (thing >= all.size()) {
    all.resize(thing + 1);
  }
  auto& readings = field.index == 0 ? all[thing].cwnd : all[thing].other;
  return readings.Add(at, value) ? ReadingKind::kTaken : ReadingKind::kLate;
}

std::vector<CounterTrack>& Readings::Counters(ThingKind kind, std::uint32_t thing) {
  auto& all = kind == ThingKind::kDisk ? disks_ : interfaces_;
  if (thing >= all.size()) {
    all.resize(thing + 1);
  }
  auto& tracks = all[thing];
  if (tracks.empty()) {
    const auto counters = kind == ThingKind::kDisk ? kDiskCounters : kNetMetricNames.size();
    tracks.assign(counters, CounterTrack(Grids()));
  }
  return tracks;
}

std::vector<std::optional<TrackTail>> Readings::Tails(ThingKind kind, std::uint32_t thing,
                                                      std::span<const std::int64_t> oldest) const {
  std::vector<std::optional<TrackTail>> tails;
  for (const auto& track : Tracks(kind, thing)) {
    tails.push_back(track.TailFrom(oldest));
  }
  return tails;
}

void Readings::Resume(ThingKind kind, std::uint32_t thing,
                      std::span<const std::optional<TrackTail>> tails) {
  auto& tracks = Counters(kind, thing);
  for (std::size_t i = 0; i < std::min(tracks.size(), tails.size()); ++i) {
    if (tails[i]) {
      tracks[i].Resume(*tails[i], Grids());
    }
  }
}

void Readings::Forget(ThingKind kind, std::uint32_t thing) {
  if (kind == ThingKind::kDisk && thing < disks_.size()) {
    disks_[thing].clear();
  } else if (kind == ThingKind::kInterface && thing < interfaces_.size()) {
    interfaces_[thing].clear();
  } else if (auto* socket = Socket(kind, thing)) {
    *socket = SocketReadings();
  }
}

std::span<const CounterTrack> Readings::Tracks(ThingKind kind, std::uint32_t thing) const {
  const auto& all = kind == ThingKind::kDisk ? disks_ : interfaces_;
  return thing < all.size() ? std::span<const CounterTrack>(all[thing])
                            : std::span<const CounterTrack>();
}

SocketReadings* Readings::Socket(ThingKind kind, std::uint32_t thing) {
  auto& all = kind == ThingKind::kSocket ? sockets_ : peers_;
  const bool is_socket = kind == ThingKind::kSocket || kind == ThingKind::kPeer;
  return is_socket && thing < all.size() ? &all[thing] : nullptr;
}

std::optional<UnixTime> Readings::Last(ThingKind kind, std::uint32_t thing) const {
  std::optional<UnixTime> last;
  if (kind == ThingKind::kSocket || kind == ThingKind::kPeer) {
    const auto& all = kind == ThingKind::kSocket ? sockets_ : peers_;
    if (thing < all.size()) {
      last = std::max(all[thing].cwnd.Last(), all[thing].other.Last());
    }
    return last;
  }
  for (const auto& track : Tracks(kind, thing)) {
    last = std::max(last, track.Last());
  }
  return last;
}

std::optional<UnixTime> Readings::First(ThingKind kind, std::uint32_t thing) const {
  std::optional<UnixTime> first;
  for (const auto& track : Tracks(kind, thing)) {
    if (track.Last()) {
      const UnixTime its(Grids().front().step * (track.Column(0).FirstBin() - 1));
      first = first ? std::min(*first, its) : its;
    }
  }
  return first;
}

std::optional<std::int64_t> Readings::NextBin(std::size_t grid, std::int64_t bin) const {
  std::optional<std::int64_t> next;
  for (const auto* all : {&disks_, &interfaces_}) {
    for (const auto& tracks : *all) {
      for (const auto& track : tracks) {
        const auto its = track.Last() ? track.Column(grid).NextAfter(bin) : std::nullopt;
        if (its && (!next || *its < *next)) {
          next = its;
        }
      }
    }
  }
  return next;
}

std::optional<UnixTime> Readings::NextOfSockets(UnixTime at) const {
  std::optional<UnixTime> next;
  for (const auto* all : {&sockets_, &peers_}) {
    for (const auto& socket : *all) {
      const auto its = socket.cwnd.NextAfter(at);
      if (its && (!next || *its < *next)) {
        next = its;
      }
    }
  }
  return next;
}

bool Readings::Settled(UnixTime end, UnixTime watermark, Duration max_gap) const {
  for (const auto* all : {&disks_, &interfaces_}) {
    for (const auto& tracks : *all) {
      for (const auto& track : tracks) {
        const auto last = track.Last();
        if (last && *last < end && watermark - *last < max_gap) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace limpet
