// readings.h: the counters of every disk and interface, and the latest windows of every connection:
// of every kind of entity what the shape in its row says.
//
// Entities are numbered as in mapping/directory.h.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/series/increase.h"
#include "exporter/common/time.h"

namespace limpet {

// The latest readings of one gauge or counter, oldest first. Bounded: what is over kMax is dropped
// from the front.
class RecentReadings {
 public:
  static constexpr std::size_t kMax = 256;
  struct Reading {
    UnixTime at;
    double value = 0;
  };

  // False for a reading that is not after the last one.
  bool Add(UnixTime at, double value);
  // The latest at or before `at`.
  [[nodiscard]] const Reading* Latest(UnixTime at) const;
  // Drops all before `at` but the last of them.
  void Prune(UnixTime at);
  [[nodiscard]] std::optional<UnixTime> Last() const;
  // Returns when the first reading after `at` was taken.
  [[nodiscard]] std::optional<UnixTime> NextAfter(UnixTime at) const;
  // Oldest first.
  [[nodiscard]] std::span<const Reading> All() const { return readings_; }

 private:
  std::vector<Reading> readings_;
};

// One connection (cwnd, bytes acked) or peer (cwnd, active sockets, segments, round-trip time).
struct SocketReadings {
  RecentReadings cwnd;
  RecentReadings other;
  RecentReadings sent;           // segments; of peers only
  RecentReadings retransmitted;  // segments; of peers only
  RecentReadings round_trip;     // seconds; of peers only
  RecentReadings received;       // segments; of whole nodes only
  RecentReadings out_of_order;   // segments; of whole nodes only

  // Takes the number of the kind's field.
  [[nodiscard]] RecentReadings& At(std::size_t field) {
    const std::array all = {&cwnd,       &other,    &sent,        &retransmitted,
                            &round_trip, &received, &out_of_order};
    return *all[field];
  }
};

class Readings {
 public:
  explicit Readings(std::vector<GridSpec> grids) : spreads_(std::move(grids)) {}

  // `value` is finite. Makes room for the entity when it is new. `restarted`: the exporter has been
  // since the last reading (CounterTrack::Add).
  // kRefused: see Refused.
  ReadingKind Add(Field field, std::uint32_t entity, UnixTime at, double value,
                  bool restarted = false) {
    auto& all = tracks_[Index(field.kind)];
    if (entity < all.size() && field.index < all[entity].size()) {
      return all[entity][field.index].Add(at, value, spreads_, restarted);
    }
    return AddToOther(field, entity, at, value);
  }
  // The counter itself, to add readings with spreads of the caller's own; null when there is no
  // room for it yet. Different counters may be used on different threads at once.
  [[nodiscard]] CounterTrack* Track(Field field, std::uint32_t entity) {
    auto& all = tracks_[Index(field.kind)];
    return entity < all.size() && field.index < all[entity].size() ? &all[entity][field.index]
                                                                   : nullptr;
  }
  // A reading comes soon: has the processor fetch what Add will need of the counter.
  void Fetch(Field field, std::uint32_t entity) const {
    const auto& all = tracks_[Index(field.kind)];
    if (entity < all.size() && field.index < all[entity].size()) {
      all[entity][field.index].Fetch();
    }
  }
  // The same, sooner than Add and later than Fetch.
  void FetchBins(Field field, std::uint32_t entity) const {
    const auto& all = tracks_[Index(field.kind)];
    if (entity < all.size() && field.index < all[entity].size()) {
      all[entity][field.index].FetchBins();
    }
  }
  void Forget(EntityKind kind, std::uint32_t entity);
  // The speed of the link that carries its bytes, bytes a second.
  void SetSpeed(EntityKind kind, std::uint32_t entity, double speed);
  // 0: not known.
  [[nodiscard]] double Speed(EntityKind kind, std::uint32_t entity) const {
    const auto& speeds = speeds_[Index(kind)];
    return entity < speeds.size() ? speeds[entity] : 0;
  }
  // The increase that the last Add with kRefused would have been.
  [[nodiscard]] const Refusal& Refused() const { return spreads_.Refused(); }
  // The next readings of its counters are not of the same counters as the last.
  void StartAnew(EntityKind kind, std::uint32_t entity);
  // Declares what its counters with a reading at `to` rose by since `from` unknown.
  void Spoil(EntityKind kind, std::uint32_t entity, UnixTime from, UnixTime to);

  // Counters of a disk or interface; empty when it has had no reading. Without the rare ones
  // (EntityKindRow) until it has had a reading of one.
  [[nodiscard]] std::span<const CounterTrack> Tracks(EntityKind kind, std::uint32_t entity) const;
  [[nodiscard]] SocketReadings* Socket(EntityKind kind, std::uint32_t entity);
  [[nodiscard]] std::optional<UnixTime> Last(EntityKind kind, std::uint32_t entity) const;
  [[nodiscard]] std::span<const GridSpec> Grids() const { return spreads_.Grids(); }

  // Returns when the first reading of a disk or interface was, to a step of the first grid.
  [[nodiscard]] std::optional<UnixTime> First(EntityKind kind, std::uint32_t entity) const;
  // Returns what a disk or interface needs to go on after a restart, one a counter (nullopt: no
  // reading); `oldest` bin by grid.
  [[nodiscard]] std::vector<std::optional<TrackTail>> Tails(
      EntityKind kind, std::uint32_t entity, std::span<const std::int64_t> oldest) const;
  // Takes an entity that has had no reading yet. Tails over the number of counters are left out.
  void Resume(EntityKind kind, std::uint32_t entity,
              std::span<const std::optional<TrackTail>> tails);

  // Returns where there may be something again after a stretch without: the first bin after `bin`
  // that a counter has or may still fill, the first reading of a connection after `at`.
  [[nodiscard]] std::optional<std::int64_t> NextBin(std::size_t grid, std::int64_t bin) const;
  [[nodiscard]] std::optional<UnixTime> NextOfSockets(UnixTime at) const;

  // Returns whether no later reading can change any sample up to `end`: every counter has one at or
  // after it, or none can come within max_gap of its last.
  [[nodiscard]] bool Settled(UnixTime end, UnixTime watermark, Duration max_gap) const;

 private:
  using TrackTable = std::vector<std::vector<CounterTrack>>;

  // An entity without this counter yet, or of a kind that has none.
  ReadingKind AddToOther(Field field, std::uint32_t entity, UnixTime at, double value);
  // The most that a counter can rise by in a second.
  [[nodiscard]] double Bound(EntityKind kind, std::size_t counter, std::uint32_t entity) const;
  // Returns counters with at least number `last` of them.
  std::vector<CounterTrack>& Counters(EntityKind kind, std::uint32_t entity, std::size_t last);

  Spreads spreads_;
  // One table a kind; what has another shape (metrics/kinds.h) stays empty.
  std::array<TrackTable, kEntityKindRows.size()> tracks_;
  std::array<std::vector<SocketReadings>, kEntityKindRows.size()> sockets_;
  std::array<std::vector<double>, kEntityKindRows.size()> speeds_;  // 0: not known
};

}  // namespace limpet
