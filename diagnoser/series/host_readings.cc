#include "diagnoser/series/host_readings.h"

#include <algorithm>
#include <chrono>

#include "diagnoser/metrics/samples.h"
#include "diagnoser/series/gauge_age.h"

namespace limpet {
namespace {

using std::chrono::seconds;

constexpr Duration kStep = seconds(1);
constexpr Duration kMaxGap = seconds(5);

std::int64_t Bin(UnixTime t) { return BinOf(t, kStep); }

void AddKnown(double value, double& sum) {
  if (!IsMissing(value)) {
    sum = IsMissing(sum) ? value : sum + value;
  }
}

}  // namespace

HostReadings::HostReadings(Duration ahead)
    : spreads_(
          {GridSpec{.step = kStep,
                    .max_gap = kMaxGap,
                    .capacity = static_cast<std::size_t>((ahead + 2 * kMaxGap) / kStep) + 8}}) {}

std::span<std::unique_ptr<CounterTrack>> HostReadings::CountersOf(EntityKind kind,
                                                                  std::uint32_t entity) {
  const auto of = [&](auto& table) -> auto& {
    if (entity >= table.size()) {
      table.resize(entity + 1);
    }
    return table[entity];
  };
  switch (kind) {
    case EntityKind::kHost:
      return of(hosts_).counters;
    case EntityKind::kDisk:
      return of(disks_);
    case EntityKind::kInterface:
      return of(interfaces_);
    case EntityKind::kSocket:
    case EntityKind::kPeer:
    case EntityKind::kExporter:
      break;
  }
  return {};
}

ReadingKind HostReadings::Add(Field field, std::uint32_t entity, UnixTime at, double value) {
  const auto count = [&](std::unique_ptr<CounterTrack>& track) {
    if (!track) {
      track = std::make_unique<CounterTrack>(spreads_.Grids());
    }
    return track->Add(at, value, spreads_);
  };
  const auto counters = CountersOf(field.kind, entity);
  if (field.kind == EntityKind::kDisk) {
    const auto counter = static_cast<DiskCounter>(field.index);
    const bool of_use = counter == DiskCounter::kReadBytes || counter == DiskCounter::kWrittenBytes;
    return of_use ? count(counters[counter == DiskCounter::kReadBytes ? 0 : 1])
                  : ReadingKind::kTaken;
  }
  if (field.kind == EntityKind::kInterface) {
    const auto counter = static_cast<NetCounter>(field.index);
    const bool of_use = counter == NetCounter::kRxBytes || counter == NetCounter::kTxBytes;
    return of_use ? count(counters[counter == NetCounter::kRxBytes ? 0 : 1]) : ReadingKind::kTaken;
  }
  if (field.kind != EntityKind::kHost) {
    return ReadingKind::kTaken;
  }
  auto& host = hosts_[entity];
  host.first = host.first ? std::min(*host.first, at) : at;
  if (field.index < kCounters) {
    return count(counters[field.index]);
  }
  return host.gauges[field.index - kCounters].Add(at, value) ? ReadingKind::kTaken
                                                             : ReadingKind::kLate;
}

void HostReadings::Forget(EntityKind kind, std::uint32_t entity) {
  if (kind == EntityKind::kHost && entity < hosts_.size()) {
    hosts_[entity] = Host();
  } else if (kind == EntityKind::kDisk && entity < disks_.size()) {
    disks_[entity] = Pair();
  } else if (kind == EntityKind::kInterface && entity < interfaces_.size()) {
    interfaces_[entity] = Pair();
  }
}

double HostReadings::SumOf(const std::vector<Pair>& table, std::span<const std::uint32_t> entities,
                           std::size_t which, std::int64_t bin) const {
  double sum = kMissing;
  for (const auto entity : entities) {
    if (entity < table.size() && table[entity][which]) {
      AddKnown(table[entity][which]->Column(0).At(bin), sum);
    }
  }
  return sum;
}

HostSample HostReadings::SampleOf(const Entities& entities, UnixTime t) const {
  const auto bin = Bin(t);
  std::array<double, kCounters> sums{};
  sums.fill(kMissing);
  std::array<double, kHostGauges> gauges{};
  gauges.fill(kMissing);
  for (const auto entity : entities.hosts) {
    if (entity >= hosts_.size()) {
      continue;
    }
    const auto& host = hosts_[entity];
    for (std::size_t i = 0; i < kCounters; ++i) {
      if (host.counters[i]) {
        AddKnown(host.counters[i]->Column(0).At(bin), sums[i]);
      }
    }
    for (std::size_t i = 0; i < kHostGauges; ++i) {
      const auto* latest = host.gauges[i].Latest(t);
      if (latest != nullptr && latest->at > t - kMaxGaugeAge) {
        gauges[i] = latest->value;
      }
    }
  }
  auto sample = MissingHostSample();
  const auto counter = [&](HostCounter of) { return sums[static_cast<std::size_t>(of)]; };
  const auto set = [&](HostMetric metric, double value) { sample[Index(metric)] = value; };
  constexpr double kPercent = 100;  // of a second: a missing one stays so
  set(HostMetric::kUser, kPercent * counter(HostCounter::kCpuUser));
  set(HostMetric::kSystem, kPercent * counter(HostCounter::kCpuSystem));
  set(HostMetric::kIowait, kPercent * counter(HostCounter::kCpuIowait));
  set(HostMetric::kContextSwitches, counter(HostCounter::kContextSwitches));
  set(HostMetric::kPagedIn, counter(HostCounter::kPagedIn));
  set(HostMetric::kPagedOut, counter(HostCounter::kPagedOut));
  set(HostMetric::kFaults, counter(HostCounter::kFaults));
  const auto gauge = [&](HostGauge of) { return gauges[static_cast<std::size_t>(of)]; };
  set(HostMetric::kRunQueue, gauge(HostGauge::kRunning));
  set(HostMetric::kThreads, gauge(HostGauge::kThreads));
  set(HostMetric::kLoad1, gauge(HostGauge::kLoad1));
  set(HostMetric::kReceived, SumOf(interfaces_, entities.interfaces, 0, bin));
  set(HostMetric::kSent, SumOf(interfaces_, entities.interfaces, 1, bin));
  set(HostMetric::kRead, SumOf(disks_, entities.disks, 0, bin));
  set(HostMetric::kWritten, SumOf(disks_, entities.disks, 1, bin));
  return sample;
}

bool HostReadings::Knows(const Entities& entities, UnixTime t) const {
  return std::any_of(entities.hosts.begin(), entities.hosts.end(), [&](std::uint32_t entity) {
    return entity < hosts_.size() && hosts_[entity].first && *hosts_[entity].first < t;
  });
}

std::optional<UnixTime> HostReadings::Last(std::uint32_t host) const {
  std::optional<UnixTime> last;
  if (host < hosts_.size()) {
    for (const auto& track : hosts_[host].counters) {
      last = track ? std::max(last, track->Last()) : last;
    }
    for (const auto& gauge : hosts_[host].gauges) {
      last = std::max(last, gauge.Last());
    }
  }
  return last;
}

template <class Holds>
bool HostReadings::AllTracks(const Holds& holds) const {
  for (const auto& host : hosts_) {
    for (const auto& track : host.counters) {
      if (track && !holds(*track)) {
        return false;
      }
    }
  }
  for (const auto* table : {&disks_, &interfaces_}) {
    for (const auto& pair : *table) {
      for (const auto& track : pair) {
        if (track && !holds(*track)) {
          return false;
        }
      }
    }
  }
  return true;
}

bool HostReadings::Settled(UnixTime t, UnixTime watermark) const {
  const auto settled = [&](std::optional<UnixTime> last) {
    return !last || *last >= t || watermark - *last >= kMaxGap;
  };
  return AllTracks([&](const CounterTrack& track) { return settled(track.Last()); }) &&
         std::all_of(hosts_.begin(), hosts_.end(), [&](const Host& host) {
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
    take(bin ? std::optional(UnixTime(kStep * *bin)) : std::nullopt);
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

HostReadings::Tail HostReadings::TailOf(EntityKind kind, std::uint32_t entity,
                                        UnixTime done) const {
  Tail tail;
  const std::array oldest{Bin(done) + 1};
  const auto add = [&](const auto& counters) {
    for (const auto& track : counters) {
      tail.counters.push_back(track ? track->TailFrom(oldest) : std::nullopt);
    }
  };
  if (kind == EntityKind::kHost && entity < hosts_.size()) {
    const auto& host = hosts_[entity];
    add(host.counters);
    for (std::size_t i = 0; i < kHostGauges; ++i) {
      const auto all = host.gauges[i].All();
      tail.gauges[i].assign(all.begin(), all.end());
    }
    tail.first = host.first;
  } else if (kind == EntityKind::kDisk && entity < disks_.size()) {
    add(disks_[entity]);
  } else if (kind == EntityKind::kInterface && entity < interfaces_.size()) {
    add(interfaces_[entity]);
  }
  return tail;
}

void HostReadings::Resume(EntityKind kind, std::uint32_t entity, const Tail& tail) {
  const auto counters = CountersOf(kind, entity);
  for (std::size_t i = 0; i < std::min(counters.size(), tail.counters.size()); ++i) {
    if (tail.counters[i]) {
      counters[i] = std::make_unique<CounterTrack>(spreads_.Grids());
      counters[i]->Resume(*tail.counters[i], spreads_.Grids());
    }
  }
  if (kind == EntityKind::kHost) {
    hosts_[entity].first = tail.first;
    for (std::size_t i = 0; i < kHostGauges; ++i) {
      for (const auto& reading : tail.gauges[i]) {
        (void)hosts_[entity].gauges[i].Add(reading.at, reading.value);
      }
    }
  }
}

}  // namespace limpet
