#include "diagnoser/pipeline/intake.h"

#include <algorithm>

#include "diagnoser/metrics/kinds.h"
#include "diagnoser/pipeline/disk_identity.h"

namespace limpet {
namespace {

using LineKind = SeriesCache::LineKind;

// Sums and products of readings up to this stay finite in every formula.
constexpr double kLargestReading = 1e290;
// Instants beyond these would overflow the arithmetic of the grid.
constexpr UnixTime kEarliest = UnixFromSeconds(0);
constexpr UnixTime kLatest = UnixFromSeconds(7'000'000'000);  // the year 2191
// So many readings ahead the counters are fetched from memory: they are more than a cache holds.
constexpr std::size_t kFetchAhead = 24;
constexpr std::size_t kFetchBinsAhead = 6;
constexpr std::size_t kMaxExamples = 4;  // of a page's impossible increases

bool IsUsable(double value) { return value >= 0 && value <= kLargestReading; }  // a NaN is not

// The samples of one page on their way to the readings.
struct Feed {
  const Scrape& scrape;
  const PageReader& page;
  SourceCaches& caches;
  SeriesCache& cache;
  Directory& directory;
  Readings& readings;
  HostReadings* hosts;
  SyscallReadings* syscalls;
  FactReadings* facts;
  ActivityReadings* activity;
  const Identities::Nodes& restarted;
  UnixTime last_allowed;
  IngestStats& stats;
  PipelineCounters& counters;
  UnixTime first = UnixTime::max();
  UnixTime last = UnixTime::min();
  struct Refused {
    SeriesTarget target;
    Refusal refusal;
  };
  std::vector<Refused> refused = {};

  void All();
  void FetchAhead(std::span<const PageReader::Sample> samples, std::size_t at, std::size_t end);
  void Add(const PageReader::Sample& sample, UnixTime at);
  void AddReading(const SeriesTarget& target, double value, UnixTime at);
  void AddSpeed(const SeriesTarget& target, double value, UnixTime at);
  void CountInstant(UnixTime at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
  void Refuse(const SeriesTarget& target, const Refusal& refusal);
  void SpoilRefused();
  // Most counters are the kernel's, which a new exporter does not change (docs/decisions/0021).
  [[nodiscard]] bool IsRestarted(const SeriesTarget& target) const {
    const auto [kind, index] = target.field;
    return !restarted.empty() && (KindRow(kind).own_counts >> index & 1U) != 0 &&
           restarted.contains(directory.Entities(kind)[target.entity].node);
  }
};

// First the counter, then the place in its ring that only the counter tells.
void Feed::FetchAhead(std::span<const PageReader::Sample> samples, std::size_t at,
                      std::size_t end) {
  if (at + kFetchAhead < end && samples[at + kFetchAhead].number < PageReader::kFirstNew) {
    const auto& target = cache.At(samples[at + kFetchAhead].number).target;
    readings.Fetch(target.field, target.entity);
  }
  if (at + kFetchBinsAhead < end && samples[at + kFetchBinsAhead].number < PageReader::kFirstNew) {
    const auto& target = cache.At(samples[at + kFetchBinsAhead].number).target;
    readings.FetchBins(target.field, target.entity);
  }
}

void Feed::All() {
  const auto samples = page.Samples();
  const auto runs = page.Runs();
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto end = run + 1 < runs.size() ? runs[run + 1].begin : samples.size();
    for (auto i = runs[run].begin; i < end; ++i) {
      FetchAhead(samples, i, end);
      Add(samples[i], runs[run].at);
    }
  }
}

void Feed::Add(const PageReader::Sample& sample, UnixTime at) {
  const bool is_new = sample.number >= PageReader::kFirstNew;
  auto number = sample.number;
  const auto* line = is_new ? &page.NewLines()[number - PageReader::kFirstNew] : nullptr;
  if (is_new && line->kind != LineKind::kSeries) {
    (void)caches.Introduce(*line, scrape, cache, directory);
    return;
  }
  // Checked before a new series is introduced: one wrong timestamp makes no component.
  if (at < kEarliest || at > last_allowed || !IsUsable(sample.value)) {
    ++stats.refused;
    return;
  }
  if (is_new) {
    number = caches.Introduce(*line, scrape, cache, directory);
    if (number == SeriesCache::kNone) {
      CountInstant(at);
      ++stats.refused;
      ++stats.over_limit;
      return;
    }
  }
  const auto& target = cache.At(number).target;
  if (KindRow(target.field.kind).shape == ReadingsShape::kFacts) {
    // Facts alone make no window.
    if (target.wanted && facts != nullptr) {
      facts->Add(target.entity, at, sample.value);
    }
    return;
  }
  if (KindRow(target.field.kind).shape == ReadingsShape::kActivity) {
    // Nor does what is only shown.
    if (target.wanted && activity != nullptr) {
      activity->Add(target.entity, at, sample.value);
    }
    return;
  }
  CountInstant(at);
  if (!target.wanted || target.field.index == kInfoField) {
    return;
  }
  if (target.field.index == kSpeedField) {
    AddSpeed(target, sample.value, at);
    return;
  }
  ++stats.mapped;
  AddReading(target, sample.value, at);
}

void Feed::AddSpeed(const SeriesTarget& target, double value, UnixTime at) {
  readings.SetSpeed(target.field.kind, target.entity, value);
  if (facts != nullptr) {
    const auto& entity = directory.Entities(target.field.kind)[target.entity];
    facts->AddSpeed(entity.node, entity.device, at, value);
  }
}

void Feed::AddReading(const SeriesTarget& target, double value, UnixTime at) {
  const auto shape = KindRow(target.field.kind).shape;
  if (shape == ReadingsShape::kSyscalls) {
    syscalls->Add(target.entity, at, value);  // wanted, so there is somebody who reads them
    return;
  }
  auto kind = ReadingKind::kTaken;
  if (hosts != nullptr) {
    kind = hosts->Add(target.field, target.entity, at, value);
    if (kind == ReadingKind::kRefused) {
      Refuse(target, hosts->Refused());
    }
  }
  // Hosts have no track in `readings`; of what has both, that one says what kind of reading it was.
  if (shape != ReadingsShape::kHost) {
    kind = readings.Add(target.field, target.entity, at, value, IsRestarted(target));
    if (kind == ReadingKind::kRefused) {
      Refuse(target, readings.Refused());
    }
  }
  switch (kind) {
    case ReadingKind::kLate:
      ++stats.late;
      break;
    case ReadingKind::kReset:
      ++counters.resets;
      break;
    case ReadingKind::kGap:
      ++counters.gaps;
      break;
    case ReadingKind::kRefused:
    case ReadingKind::kFirst:
    case ReadingKind::kTaken:
      break;
  }
}

void Feed::Refuse(const SeriesTarget& target, const Refusal& refusal) {
  const auto [kind, index] = target.field;
  // Both kinds of readings refuse the same increase.
  if (!refused.empty() && refused.back().target.entity == target.entity &&
      refused.back().target.field.kind == kind && refused.back().target.field.index == index) {
    return;
  }
  refused.push_back({target, refusal});
  const auto& row = KindRow(kind);
  ++stats.impossible[static_cast<std::size_t>(row.bounds[index].quantity)];
  if (stats.examples.size() < kMaxExamples) {
    const auto& entity = directory.Entities(kind)[target.entity];
    stats.examples.push_back(
        {.node = entity.node,
         .device = entity.device,
         .counter = row.series[index].empty() ? row.labelled_series : row.series[index],
         .increase = refusal.increase,
         .most = refusal.most,
         .over = refusal.to - refusal.from});
  }
}

// Counters of one device belong together: where one has another machine's value, the others, whose
// bounds may be wider, have so too.
void Feed::SpoilRefused() {
  for (const auto& [target, refusal] : refused) {
    readings.Spoil(target.field.kind, target.entity, refusal.from, refusal.to);
    if (hosts != nullptr) {
      hosts->Spoil(target.field.kind, target.entity, refusal.from, refusal.to);
    }
  }
}

}  // namespace

void Intake::StartAnew(std::string_view node, const Directory& directory, Readings& readings) {
  for (const auto& row : DirectoryKinds()) {
    const auto entities = directory.Entities(row.kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      if (!entities[i].live || entities[i].node != node) {
        continue;
      }
      readings.StartAnew(row.kind, i);
      if (hosts_ != nullptr) {
        hosts_->StartAnew(row.kind, i);
      }
    }
  }
}

Identities::Changes Intake::UpdateIdentities(const PageReader& page, const Scrape& scrape,
                                             const Directory& directory, Readings& readings) {
  auto changes = identities_.Update(page.Claims());
  for (const auto& claim : page.Claims()) {
    if (facts_ != nullptr && !claim.release.empty()) {
      facts_->AddKernel(claim.node, claim.release, claim.at);
    }
  }
  for (const auto& node : FindReplacedDisks(page.NewLines(), scrape, directory)) {
    changes.replaced.emplace(node, IdentityChange::kDisk);
  }
  for (const auto& [node, change] : changes.replaced) {
    StartAnew(node, directory, readings);
  }
  return changes;
}

Result<IngestStats> Intake::Ingest(const Scrape& scrape, std::optional<UnixTime> latest,
                                   Directory& directory, Readings& readings,
                                   PipelineCounters& counters, const PageAhead* ahead) {
  auto& cache = caches_.Prepare(scrape);
  const bool was_read = ahead != nullptr && ahead->IsOf(cache);
  auto read = was_read ? ahead->Stats() : page_.Read(scrape, cache);
  if (!read) {
    return read;
  }
  auto& stats = *read;
  // Before the first reading is used: what tells whose page it is may stand anywhere on it.
  const auto& page = was_read ? ahead->Page() : page_;
  const auto changes = UpdateIdentities(page, scrape, directory, readings);
  Feed feed{.scrape = scrape,
            .page = page,
            .caches = caches_,
            .cache = cache,
            .directory = directory,
            .readings = readings,
            .hosts = hosts_,
            .syscalls = syscalls_,
            .facts = facts_,
            .activity = activity_,
            .restarted = changes.restarted,
            .last_allowed = latest ? std::min(*latest, kLatest) : kLatest,
            .stats = stats,
            .counters = counters};
  feed.All();
  feed.SpoilRefused();
  if (feed.first <= feed.last) {
    stats.first = feed.first;
    stats.last = feed.last;
  }
  stats.over_limit += cache.WithoutRoom();
  counters.samples += stats.samples;
  counters.mapped += stats.mapped;
  counters.late += stats.late;
  counters.refused += stats.refused;
  counters.series = caches_.Series();
  counters.components = directory.Count();
  for (const auto& [node, change] : changes.replaced) {
    stats.replaced.push_back({node, change});
  }
  if (!changes.replaced.empty()) {
    // What the lines said of the disks was said of others: they are read anew should they return.
    caches_.Forget(scrape.source);
  }
  return read;
}

}  // namespace limpet
