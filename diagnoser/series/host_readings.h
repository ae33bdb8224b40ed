// host_readings.h: the counters and gauges that host metrics are made of, on a grid of 1 s.
//
// Entities are numbered as in mapping/directory.h; disks and interfaces keep their bytes here once
// more, because the grids of the presets may be coarser.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/metrics/host.h"
#include "diagnoser/series/increase.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

class HostReadings {
 public:
  // `ahead`: how far readings may come before the second that is being asked for.
  explicit HostReadings(Duration ahead);

  // Fields of no use here are kTaken.
  ReadingKind Add(Field field, std::uint32_t entity, UnixTime at, double value);
  void Forget(EntityKind kind, std::uint32_t entity);
  // Same as those of Readings.
  [[nodiscard]] const Refusal& Refused() const { return spreads_.Refused(); }
  void StartAnew(EntityKind kind, std::uint32_t entity);
  void Spoil(EntityKind kind, std::uint32_t entity, UnixTime from, UnixTime to);

  // The parts of one host, by kind: the host itself or one a processor, disks, interfaces.
  using Entities = std::array<std::vector<std::uint32_t>, kEntityKinds>;
  // The sample of the second that ends at `t`. Disks, interfaces and processors that have none
  // (they are new, or gone) are left out of the sums.
  [[nodiscard]] HostSample SampleAt(const Entities& entities, UnixTime t) const;
  // Returns whether a reading of the host itself was taken before `t`.
  [[nodiscard]] bool Knows(const Entities& entities, UnixTime t) const;

  [[nodiscard]] std::optional<UnixTime> Last(std::uint32_t host) const;
  // Returns whether no later reading can change any sample up to `t`.
  [[nodiscard]] bool Settled(UnixTime t, UnixTime watermark) const;
  // Returns where there may be something again after `t`; nullopt: nowhere.
  [[nodiscard]] std::optional<UnixTime> NextAfter(UnixTime t) const;
  // Gauges before `t` are not needed any more.
  void Prune(UnixTime t);

  // State that an entity needs to go on after a restart: its counters from the second after `done`
  // on.
  struct Tail {
    std::vector<std::optional<TrackTail>> counters;  // one column each; nullopt: no reading
    std::array<std::vector<RecentReadings::Reading>, kHostGauges> gauges;  // of a host
    std::optional<UnixTime> first;                                         // reading of a host
  };
  // Empty when it has had no reading.
  [[nodiscard]] Tail TailAfter(EntityKind kind, std::uint32_t entity, UnixTime done) const;
  // Takes an entity that has had no reading yet. Counters and gauges over their number are left
  // out.
  void Resume(EntityKind kind, std::uint32_t entity, const Tail& tail);

 private:
  using Counters = std::vector<std::unique_ptr<CounterTrack>>;  // those host metrics are made of
  struct Gauges {
    std::array<RecentReadings, kHostGauges> gauges;
    std::optional<UnixTime> first;
  };

  // Returns counters with room for the entity; empty for kinds of no use here.
  [[nodiscard]] Counters& CountersFor(EntityKind kind, std::uint32_t entity);
  [[nodiscard]] Gauges& GaugesFor(std::uint32_t host);
  // Adds up the entities that have the counter; kMissing when none has.
  [[nodiscard]] double SumAt(const Formula& formula, const Entities& entities,
                             std::int64_t bin) const;
  [[nodiscard]] double LatestGauge(const Formula& formula, std::span<const std::uint32_t> hosts,
                                   UnixTime t) const;
  // The tracks of one entity.
  template <class Change>
  void ForTracks(EntityKind kind, std::uint32_t entity, const Change& change);
  // Returns whether it holds for every counter; not asked any further once it does not.
  template <class Holds>
  [[nodiscard]] bool AllTracks(const Holds& holds) const;

  Spreads spreads_;                                                     // one grid
  std::array<std::vector<Counters>, kEntityKindRows.size()> counters_;  // by kind
  std::vector<Gauges> hosts_;
};

}  // namespace limpet
