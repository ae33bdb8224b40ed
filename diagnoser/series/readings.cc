#include "diagnoser/series/readings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace limpet {

bool RecentReadings::Add(UnixTime at, double value) {
  if (!readings_.empty() && at <= readings_.back().at) {
    return false;
  }
  // Moving them all costs little: a socket is read once a second and seldom has that many.
  if (readings_.size() == kMax) {
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
  // The one before `at` is still what holds at `at`.
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

ReadingKind Readings::AddToOther(Field field, std::uint32_t entity, UnixTime at, double value) {
  if (!HasWindows(field.kind)) {
    // The first reading of a counter: whatever it counted before was not seen, so no restart
    // either.
    return Counters(field.kind, entity, field.index)[field.index].Add(at, value, spreads_);
  }
  auto& all = sockets_[Index(field.kind)];
  if (entity >= all.size()) {
    all.resize(entity + 1);
  }
  return all[entity].At(field.index).Add(at, value) ? ReadingKind::kTaken : ReadingKind::kLate;
}

double Readings::Bound(EntityKind kind, std::size_t counter, std::uint32_t entity) const {
  const auto& bound = KindRow(kind).bounds[counter];
  const auto& speeds = speeds_[Index(kind)];
  return bound.quantity == Quantity::kBytes && entity < speeds.size() ? LinkBytes(speeds[entity])
                                                                      : bound.per_second;
}

std::vector<CounterTrack>& Readings::Counters(EntityKind kind, std::uint32_t entity,
                                              std::size_t last) {
  auto& all = tracks_[Index(kind)];
  if (entity >= all.size()) {
    all.resize(entity + 1);
  }
  auto& tracks = all[entity];
  const auto usual = KindRow(kind).counters - KindRow(kind).rare;
  const auto wanted = last < usual ? usual : KindRow(kind).counters;
  if (tracks.size() < wanted) {
    tracks.reserve(wanted);
    for (std::size_t i = tracks.size(); i < wanted; ++i) {
      tracks.emplace_back(Grids(), Bound(kind, i, entity));
    }
  }
  return tracks;
}

std::vector<std::optional<TrackTail>> Readings::Tails(EntityKind kind, std::uint32_t entity,
                                                      std::span<const std::int64_t> oldest) const {
  std::vector<std::optional<TrackTail>> tails;
  for (const auto& track : Tracks(kind, entity)) {
    tails.push_back(track.TailFrom(oldest));
  }
  return tails;
}

void Readings::Resume(EntityKind kind, std::uint32_t entity,
                      std::span<const std::optional<TrackTail>> tails) {
  // A file of another version may have fewer counters, or more.
  auto& tracks = Counters(kind, entity, tails.empty() ? 0 : tails.size() - 1);
  for (std::size_t i = 0; i < std::min(tracks.size(), tails.size()); ++i) {
    if (tails[i]) {
      tracks[i].Resume(*tails[i], Grids());
    }
  }
}

void Readings::Forget(EntityKind kind, std::uint32_t entity) {
  auto& all = tracks_[Index(kind)];
  if (auto& speeds = speeds_[Index(kind)]; entity < speeds.size()) {
    speeds[entity] = 0;
  }
  if (entity < all.size()) {
    // Not clear(), which would keep the room for the tracks.
    std::vector<CounterTrack>().swap(all[entity]);
  } else if (auto* socket = Socket(kind, entity)) {
    *socket = SocketReadings();
  }
}

void Readings::SetSpeed(EntityKind kind, std::uint32_t entity, double speed) {
  auto& speeds = speeds_[Index(kind)];
  if (entity >= speeds.size()) {
    speeds.resize(entity + 1);
  }
  if (std::exchange(speeds[entity], speed) == speed || entity >= tracks_[Index(kind)].size()) {
    return;
  }
  auto& tracks = tracks_[Index(kind)][entity];
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].SetBound(Bound(kind, i, entity));
  }
}

void Readings::StartAnew(EntityKind kind, std::uint32_t entity) {
  auto& all = tracks_[Index(kind)];
  if (entity < all.size()) {
    for (auto& track : all[entity]) {
      track.StartAnew();
    }
  }
}

void Readings::Spoil(EntityKind kind, std::uint32_t entity, UnixTime from, UnixTime to) {
  auto& all = tracks_[Index(kind)];
  if (entity < all.size()) {
    for (auto& track : all[entity]) {
      track.Spoil(from, to, Grids());
    }
  }
}

std::span<const CounterTrack> Readings::Tracks(EntityKind kind, std::uint32_t entity) const {
  const auto& all = tracks_[Index(kind)];
  return entity < all.size() ? std::span<const CounterTrack>(all[entity])
                             : std::span<const CounterTrack>();
}

SocketReadings* Readings::Socket(EntityKind kind, std::uint32_t entity) {
  auto& all = sockets_[Index(kind)];
  return entity < all.size() ? &all[entity] : nullptr;
}

std::optional<UnixTime> Readings::Last(EntityKind kind, std::uint32_t entity) const {
  std::optional<UnixTime> last;
  const auto& sockets = sockets_[Index(kind)];
  if (entity < sockets.size()) {
    last = std::max(sockets[entity].cwnd.Last(), sockets[entity].other.Last());
  }
  for (const auto& track : Tracks(kind, entity)) {
    last = std::max(last, track.Last());
  }
  return last;
}

std::optional<UnixTime> Readings::First(EntityKind kind, std::uint32_t entity) const {
  std::optional<UnixTime> first;
  for (const auto& track : Tracks(kind, entity)) {
    if (track.Last()) {
      // A column begins with the first bin that its first reading could fill a part of.
      const UnixTime its(Grids().front().step * (track.Column(0).FirstBin() - 1));
      first = first ? std::min(*first, its) : its;
    }
  }
  return first;
}

std::optional<std::int64_t> Readings::NextBin(std::size_t grid, std::int64_t bin) const {
  std::optional<std::int64_t> next;
  for (const auto& all : tracks_) {
    for (const auto& tracks : all) {
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
  for (const auto& all : sockets_) {
    for (const auto& socket : all) {
      for (const auto* readings : {&socket.cwnd, &socket.sent, &socket.received}) {
        const auto its = readings->NextAfter(at);
        if (its && (!next || *its < *next)) {
          next = its;
        }
      }
    }
  }
  return next;
}

bool Readings::Settled(UnixTime end, UnixTime watermark, Duration max_gap) const {
  for (const auto& all : tracks_) {
    for (const auto& tracks : all) {
      for (const auto& track : tracks) {
        const auto last = track.Last();
        // A counter that is silent for longer than max_gap ends in a gap, whenever it comes back.
        if (last && *last < end && watermark - *last < max_gap) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace limpet
