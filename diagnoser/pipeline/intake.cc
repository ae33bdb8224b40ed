#include "diagnoser/pipeline/intake.h"

#include <algorithm>

#include "diagnoser/metrics/kinds.h"

namespace limpet {
namespace {

using LineKind = SeriesCache::LineKind;

// Sums and products of readings up to this stay finite in every formula.
constexpr double kLargestReading = 1e290;
// Instants beyond these would overflow the arithmetic of the grid.
constexpr UnixTime kEarliest = UnixFromSeconds(0);
constexpr UnixTime kLatest = UnixFromSeconds(7'000'000'000);  // the year 2191
// So many readings ahead the counters are fetched from memory: they are more than a cache holds.
constexpr std::size_t kFetchAhead = 12;

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
  const ExporterStarts::Nodes& restarted;
  UnixTime last_allowed;
  IngestStats& stats;
  PipelineCounters& counters;
  UnixTime first = UnixTime::max();
  UnixTime last = UnixTime::min();

  void All();
  void Add(const PageReader::Sample& sample, UnixTime at);
  void AddReading(const SeriesTarget& target, double value, UnixTime at);
  // Most counters are the kernel's, which a new exporter does not change (docs/decisions/0021).
  [[nodiscard]] bool IsRestarted(const SeriesTarget& target) const {
    const auto [kind, index] = target.field;
    return !restarted.empty() && (KindRow(kind).own_counts >> index & 1U) != 0 &&
           restarted.contains(directory.Entities(kind)[target.entity].node);
  }
};

void Feed::All() {
  const auto samples = page.Samples();
  const auto runs = page.Runs();
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto end = run + 1 < runs.size() ? runs[run + 1].begin : samples.size();
    for (auto i = runs[run].begin; i < end; ++i) {
      if (i + kFetchAhead < end && samples[i + kFetchAhead].number < PageReader::kFirstNew) {
        const auto& target = cache.At(samples[i + kFetchAhead].number).target;
        readings.Fetch(target.field, target.entity);
      }
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
  first = std::min(first, at);
  last = std::max(last, at);
  if (is_new) {
    number = caches.Introduce(*line, scrape, cache, directory);
    if (number == SeriesCache::kNone) {
      ++stats.refused;
      ++stats.over_limit;
      return;
    }
  }
  const auto& target = cache.At(number).target;
  if (!target.wanted || target.field.index == kInfoField) {
    return;
  }
  ++stats.mapped;
  AddReading(target, sample.value, at);
}

void Feed::AddReading(const SeriesTarget& target, double value, UnixTime at) {
  auto kind = ReadingKind::kTaken;
  if (hosts != nullptr) {
    kind = hosts->Add(target.field, target.entity, at, value);
  }
  // Hosts have no track in `readings`; of what has both, that one says what kind of reading it was.
  if (KindRow(target.field.kind).shape != ReadingsShape::kHost) {
    kind = readings.Add(target.field, target.entity, at, value, IsRestarted(target));
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
    case ReadingKind::kFirst:
    case ReadingKind::kTaken:
      break;
  }
}

}  // namespace

Result<IngestStats> Intake::Ingest(const Scrape& scrape, std::optional<UnixTime> latest,
                                   Directory& directory, Readings& readings,
                                   PipelineCounters& counters) {
  auto& cache = caches_.Prepare(scrape);
  auto read = page_.Read(scrape, cache);
  if (!read) {
    return read;
  }
  auto& stats = *read;
  const auto restarted = starts_.Update(page_.Starts());
  Feed feed{.scrape = scrape,
            .page = page_,
            .caches = caches_,
            .cache = cache,
            .directory = directory,
            .readings = readings,
            .hosts = hosts_,
            .restarted = restarted,
            .last_allowed = latest ? std::min(*latest, kLatest) : kLatest,
            .stats = stats,
            .counters = counters};
  feed.All();
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
  return read;
}

}  // namespace limpet
