#include "diagnoser/series/host_readings.h"

#include <algorithm>
#include <chrono>

#include "diagnoser/series/gauge_age.h"
#include "diagnoser/series/second_grid.h"

namespace limpet {
namespace {

std::int64_t Bin(UnixTime t) { return BinAt(t, kSecondStep); }

// A sum over disks or processors goes on without those that have nothing: one that is new or gone
// would otherwise take the whole host's sample with it.
void AddKnown(double value, double& sum) {
  if (!IsMissing(value)) {
    sum = IsMissing(sum) ? value : sum + value;
  }
}

constexpr std::uint8_t kUnused = 255;

// The counters of a kind that some host metric is made of are kept one after the other, in the
// order of the metrics' rows: places in memory and in state files.
struct Places {
  std::array<std::uint8_t, 16> of_counter{};  // kUnused: of no use to any metric
  std::size_t count = 0;
};

constexpr std::array<Places, kEntityKindRows.size()> MakePlaces() {
  std::array<Places, kEntityKindRows.size()> places{};
  for (auto& its : places) {
    its.of_counter.fill(kUnused);
  }
  for (const auto& row : rows::kHosts) {
    auto& its = places[Index(row.formula.of)];
    if (row.formula.per != Per::kReading) {
      its.of_counter[row.formula.counters[0]] = static_cast<std::uint8_t>(its.count++);
    }
  }
  return places;
}
constexpr auto kPlaces = MakePlaces();

constexpr const Places& PlacesFor(EntityKind kind) { return kPlaces[Index(kind)]; }

constexpr bool IsGauge(EntityKind kind, std::uint8_t field) {
  return IsHost(kind) && field >= kHostCounters;
}

}  // namespace

HostReadings::HostReadings(Duration ahead) : spreads_({SecondGrid(ahead)}) {}

HostReadings::Counters& HostReadings::CountersFor(EntityKind kind, std::uint32_t entity) {
  auto& all = counters_[Index(kind)];
  if (entity >= all.size()) {
    all.resize(entity + 1);
  }
  auto& counters = all[entity];
  if (counters.empty()) {
    counters.resize(PlacesFor(kind).count);
  }
  return counters;
}

HostReadings::Gauges& HostReadings::GaugesFor(std::uint32_t host) {
  if (host >= hosts_.size()) {
    hosts_.resize(host + 1);
  }
  return hosts_[host];
}

ReadingKind HostReadings::Add(Field field, std::uint32_t entity, UnixTime at, double value) {
  if (IsHost(field.kind)) {
    (void)CountersFor(field.kind, entity);  // a host that has had gauges alone is kept, too
    auto& first = GaugesFor(entity).first;
    first = first ? std::min(*first, at) : at;
  }
  if (IsGauge(field.kind, field.index)) {
    auto& gauge = hosts_[entity].gauges[field.index - kHostCounters];
    return gauge.Add(at, value) ? ReadingKind::kTaken : ReadingKind::kLate;
  }
  const auto& places = PlacesFor(field.kind);
  if (places.count == 0 || field.index >= places.of_counter.size()) {
    return ReadingKind::kTaken;
  }
  auto& counters = CountersFor(field.kind, entity);
  const auto place = places.of_counter[field.index];
  if (place == kUnused) {
    return ReadingKind::kTaken;
  }
  auto& track = counters[place];
  if (!track) {
    track = std::make_unique<CounterTrack>(spreads_.Grids());
  }
  // Here, because after a restart a track does not know which counter it is of.
  track->SetBound(KindRow(field.kind).bounds[field.index].per_second);
  return track->Add(at, value, spreads_);
}

template <class Change>
void HostReadings::ForTracks(EntityKind kind, std::uint32_t entity, const Change& change) {
  auto& all = counters_[Index(kind)];
  if (entity < all.size()) {
    for (auto& track : all[entity]) {
      if (track) {
        change(*track);
      }
    }
  }
}

void HostReadings::StartAnew(EntityKind kind, std::uint32_t entity) {
  ForTracks(kind, entity, [](CounterTrack& track) { track.StartAnew(); });
}

void HostReadings::Spoil(EntityKind kind, std::uint32_t entity, UnixTime from, UnixTime to) {
  ForTracks(kind, entity, [&](CounterTrack& track) { track.Spoil(from, to, spreads_.Grids()); });
}

void HostReadings::Forget(EntityKind kind, std::uint32_t entity) {
  auto& all = counters_[Index(kind)];
  if (entity < all.size()) {
    all[entity].clear();
  }
  if (IsHost(kind) && entity < hosts_.size()) {
    hosts_[entity] = Gauges();
  }
}

double HostReadings::SumAt(const Formula& formula, const Entities& entities,
                           std::int64_t bin) const {
  const auto& table = counters_[Index(formula.of)];
  const auto place = PlacesFor(formula.of).of_counter[formula.counters[0]];
  double sum = kMissing;
  for (const auto entity : entities[Index(formula.of)]) {
    if (entity < table.size() && place < table[entity].size() && table[entity][place]) {
      AddKnown(table[entity][place]->Column(0).At(bin), sum);
    }
  }
  return sum;
}

double HostReadings::LatestGauge(const Formula& formula, std::span<const std::uint32_t> hosts,
                                 UnixTime t) const {
  double value = kMissing;
  for (const auto host : hosts) {
    const auto* latest = host < hosts_.size()
                             ? hosts_[host].gauges[formula.counters[0] - kHostCounters].Latest(t)
                             : nullptr;
    if (latest != nullptr && latest->at > t - kMaxGaugeAge) {
      value = latest->value;
    }
  }
  return value;
}

HostSample HostReadings::SampleAt(const Entities& entities, UnixTime t) const {
  const auto bin = Bin(t);
  auto sample = MissingHostSample();
  for (std::size_t i = 0; i < kHostMetrics; ++i) {
    const auto& formula = rows::kHosts[i].formula;
    // Steps are one second, so an increase is a rate already.
    sample[i] = formula.per == Per::kReading
                    ? LatestGauge(formula, entities[Index(EntityKind::kHost)], t)
                    : formula.factor * SumAt(formula, entities, bin);
  }
  return sample;
}

bool HostReadings::Knows(const Entities& entities, UnixTime t) const {
  const auto& hosts = entities[Index(EntityKind::kHost)];
  return std::any_of(hosts.begin(), hosts.end(), [&](std::uint32_t entity) {
    return entity < hosts_.size() && hosts_[entity].first && *hosts_[entity].first < t;
  });
}

std::optional<UnixTime> HostReadings::Last(std::uint32_t host) const {
  std::optional<UnixTime> last;
  const auto& tracks = counters_[Index(EntityKind::kHost)];
  if (host < tracks.size()) {
    for (const auto& track : tracks[host]) {
      last = track ? std::max(last, track->Last()) : last;
    }
  }
  if (host < hosts_.size()) {
    for (const auto& gauge : hosts_[host].gauges) {
      last = std::max(last, gauge.Last());
    }
  }
  return last;
}

template <class Holds>
bool HostReadings::AllTracks(const Holds& holds) const {
  for (const auto& table : counters_) {
    for (const auto& counters : table) {
      for (const auto& track : counters) {
        if (track && !holds(*track)) {
          return false;
        }
      }
    }
  }
  return true;
}

bool HostReadings::Settled(UnixTime t, UnixTime watermark) const {
  // As in Readings::Settled; a gauge's next reading may still be the one that holds at `t`.
  const auto settled = [&](std::optional<UnixTime> last) {
    return !last || *last >= t || watermark - *last >= kMaxSecondGap;
  };
  return AllTracks([&](const CounterTrack& track) { return settled(track.Last()); }) &&
         std::all_of(hosts_.begin(), hosts_.end(), [&](const Gauges& host) {
           return std::all_of(host.gauges.begin(), host.gauges.end(),
                              [&](const RecentReadings& gauge) { return settled(gauge.Last()); });
         });
}

std::optional<UnixTime> HostReadings::NextAfter(UnixTime t) const {
  std::optional<UnixTime> next;
  const auto take = [&](std::optional<UnixTime> its) {
    if (its && (!next || *its < *next)) {
      next = its;
    }
  };
  (void)AllTracks([&](const CounterTrack& track) {
    const auto bin = track.Last() ? track.Column(0).NextAfter(Bin(t)) : std::nullopt;
    take(bin ? std::optional(UnixTime(kSecondStep * *bin)) : std::nullopt);
    return true;
  });
  for (const auto& host : hosts_) {
    for (const auto& gauge : host.gauges) {
      take(gauge.NextAfter(t));
    }
  }
  return next;
}

void HostReadings::Prune(UnixTime t) {
  for (auto& host : hosts_) {
    for (auto& gauge : host.gauges) {
      gauge.Prune(t - kMaxGaugeAge);
    }
  }
}

HostReadings::Tail HostReadings::TailAfter(EntityKind kind, std::uint32_t entity,
                                           UnixTime done) const {
  Tail tail;
  const std::array oldest{Bin(done) + 1};
  const auto& all = counters_[Index(kind)];
  if (entity < all.size()) {
    for (const auto& track : all[entity]) {
      tail.counters.push_back(track ? track->TailFrom(oldest) : std::nullopt);
    }
    tail.counters.resize(PlacesFor(kind).count);
  }
  if (IsHost(kind) && entity < hosts_.size()) {
    const auto& host = hosts_[entity];
    for (std::size_t i = 0; i < kHostGauges; ++i) {
      const auto readings = host.gauges[i].All();
      tail.gauges[i].assign(readings.begin(), readings.end());
    }
    tail.first = host.first;
  }
  return tail;
}

void HostReadings::Resume(EntityKind kind, std::uint32_t entity, const Tail& tail) {
  auto& counters = CountersFor(kind, entity);
  // A file of another version may have fewer counters, or more.
  for (std::size_t i = 0; i < std::min(counters.size(), tail.counters.size()); ++i) {
    if (tail.counters[i]) {
      counters[i] = std::make_unique<CounterTrack>(spreads_.Grids());
      counters[i]->Resume(*tail.counters[i], spreads_.Grids());
    }
  }
  if (!IsHost(kind)) {
    return;
  }
  auto& host = GaugesFor(entity);
  host.first = tail.first;
  for (std::size_t i = 0; i < kHostGauges; ++i) {
    for (const auto& reading : tail.gauges[i]) {
      (void)host.gauges[i].Add(reading.at, reading.value);
    }
  }
}

}  // namespace limpet
