#include "diagnoser/intake/page_feed.h"

#include <algorithm>
#include <utility>

#include "diagnoser/metrics/kinds.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

using LineKind = SeriesCache::LineKind;

// Sums and products of readings up to this stay finite in every formula.
constexpr double kLargestReading = 1e290;
// So many readings ahead the counters are fetched from memory: they are more than a cache holds.
constexpr std::size_t kFetchAhead = 24;
constexpr std::size_t kFetchBinsAhead = 6;
constexpr std::size_t kMaxExamples = 4;  // of a page's impossible increases

bool IsUsable(double value) { return value >= 0 && value <= kLargestReading; }  // a NaN is not

// Where a run of the page's samples ends.
std::size_t EndOf(const PageReader& page, std::size_t run) {
  const auto runs = page.Runs();
  return run + 1 < runs.size() ? runs[run + 1].begin : page.Samples().size();
}

// In bytes a second. node_exporter shows what drivers write when they do not know: -1, 0, 65535 and
// 2^32 - 1 Mbit/s.
bool IsLinkSpeed(double speed) {
  constexpr double kMegabit = 1e6 / 8;
  constexpr double kUnknown16 = 65535 * kMegabit;
  return speed > 0 && speed != kUnknown16 && speed < INT32_MAX * kMegabit;
}

}  // namespace

void PageFeed::Begin(const FeedTargets& targets, const FedPage& page, IngestStats stats) {
  to_ = targets;
  of_ = page;
  stats_ = std::move(stats);
  resets_ = 0;
  gaps_ = 0;
  first_ = UnixTime::max();
  last_ = UnixTime::min();
  refused_.clear();
  left_.clear();
  next_ = 0;
}

// First the counter, then the place in its ring that only the counter tells.
void PageFeed::FetchAhead(std::size_t at, std::size_t end) const {
  const auto samples = of_.page->Samples();
  if (at + kFetchAhead < end && samples[at + kFetchAhead].number < PageReader::kFirstNew) {
    const auto& target = of_.cache->At(samples[at + kFetchAhead].number).target;
    to_.readings->Fetch(target.field, target.entity);
  }
  if (at + kFetchBinsAhead < end && samples[at + kFetchBinsAhead].number < PageReader::kFirstNew) {
    const auto& target = of_.cache->At(samples[at + kFetchBinsAhead].number).target;
    to_.readings->FetchBins(target.field, target.entity);
  }
}

bool PageFeed::AddTracks(Spreads& spreads) {
  const auto samples = of_.page->Samples();
  const auto runs = of_.page->Runs();
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto end = EndOf(*of_.page, run);
    for (next_ = runs[run].begin; next_ < end; ++next_) {
      FetchAhead(next_, end);
      switch (AddTrack(samples[next_], runs[run].at, spreads)) {
        case Step::kAdded:
          break;
        case Step::kLeft:
          left_.push_back({.sample = next_, .at = runs[run].at});
          break;
        case Step::kStop:
          return false;
      }
    }
  }
  // Nothing that is left touches these counters.
  SpoilRefused();
  return true;
}

PageFeed::Step PageFeed::AddTrack(const PageReader::Sample& sample, UnixTime at, Spreads& spreads) {
  const auto& target = of_.cache->At(sample.number).target;
  if (!HasCounters(target.field.kind) || !target.wanted || IsDescription(target.field.index) ||
      !IsTaken(sample, at)) {
    return Step::kLeft;
  }
  if (target.field.index == kSpeedField) {
    // Another speed is another bound for the readings after it.
    return to_.readings->Speed(target.field.kind, target.entity) == sample.value ? Step::kLeft
                                                                                 : Step::kStop;
  }
  auto* const track = to_.readings->Track(target.field, target.entity);
  if (track == nullptr) {
    return Step::kStop;  // room for it moves others
  }
  const auto kind = track->Add(at, sample.value, spreads);
  if (kind == ReadingKind::kRefused) {
    Refuse(target, spreads.Refused());
  }
  CountInstant(at);
  ++stats_.mapped;
  Count(kind);
  return Step::kAdded;
}

void PageFeed::AddRest() {
  const auto samples = of_.page->Samples();
  const auto runs = of_.page->Runs();
  for (const auto& [sample, at] : left_) {
    Add(samples[sample], at);
  }
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto end = EndOf(*of_.page, run);
    for (auto i = std::max(runs[run].begin, next_); i < end; ++i) {
      FetchAhead(i, end);
      Add(samples[i], runs[run].at);
    }
  }
  SpoilRefused();
  if (first_ <= last_) {
    stats_.first = first_;
    stats_.last = last_;
  }
}

bool PageFeed::IsTaken(const PageReader::Sample& sample, UnixTime at) const {
  return at >= kEarliestInstant && at <= of_.last_allowed && IsUsable(sample.value);
}

void PageFeed::CountInstant(UnixTime at) {
  first_ = std::min(first_, at);
  last_ = std::max(last_, at);
}

void PageFeed::Add(const PageReader::Sample& sample, UnixTime at) {
  const bool is_new = sample.number >= PageReader::kFirstNew;
  auto number = sample.number;
  const auto* line = is_new ? &of_.page->NewLines()[number - PageReader::kFirstNew] : nullptr;
  if (is_new && line->kind != LineKind::kSeries) {
    (void)to_.caches->Introduce(*line, *of_.scrape, *of_.cache, *to_.directory);
    return;
  }
  // Checked before a new series is introduced: one wrong timestamp makes no component.
  if (!IsTaken(sample, at)) {
    ++stats_.refused;
    return;
  }
  if (is_new) {
    number = to_.caches->Introduce(*line, *of_.scrape, *of_.cache, *to_.directory);
    if (number == SeriesCache::kNone) {
      CountInstant(at);
      ++stats_.refused;
      ++stats_.over_limit;
      return;
    }
  }
  const auto& target = of_.cache->At(number).target;
  if (!IsEntity(target.field.kind)) {
    AddToStore(target, sample.value, at);
    return;
  }
  CountInstant(at);
  if (!target.wanted || IsDescription(target.field.index)) {
    return;
  }
  if (target.field.index == kSpeedField) {
    AddSpeed(target, sample.value, at);
    return;
  }
  ++stats_.mapped;
  AddReading(target, sample.value, at);
}

void PageFeed::AddToStore(const SeriesTarget& target, double value, UnixTime at) {
  auto* const store = to_.caches->AllStores().Of(target.field.kind);
  const bool is_compared = store != nullptr && store->IsCompared();
  // What is only shown makes no window.
  if (is_compared) {
    CountInstant(at);
  }
  if (target.wanted && store != nullptr) {
    store->Add(target.entity, at, value);
    stats_.mapped += is_compared ? 1 : 0;
  }
}

void PageFeed::AddSpeed(const SeriesTarget& target, double value, UnixTime at) {
  if (!IsLinkSpeed(value)) {
    return;
  }
  to_.readings->SetSpeed(target.field.kind, target.entity, value);
  if (to_.facts != nullptr) {
    const auto& entity = to_.directory->Entities(target.field.kind)[target.entity];
    to_.facts->AddSpeed(entity.node, entity.device, at, value);
  }
}

void PageFeed::AddReading(const SeriesTarget& target, double value, UnixTime at) {
  const bool is_host = IsHost(target.field.kind);
  if (is_host && to_.activity != nullptr && target.field.index == FieldNumber(HostGauge::kLoad1)) {
    to_.activity->AddLoad(to_.directory->Entities(target.field.kind)[target.entity].node, at,
                          value);
  }
  auto kind = ReadingKind::kTaken;
  if (to_.hosts != nullptr) {
    kind = to_.hosts->Add(target.field, target.entity, at, value);
    if (kind == ReadingKind::kRefused) {
      Refuse(target, to_.hosts->Refused());
    }
  }
  // Hosts have no track in `readings`; of what has both, that one says what kind of reading it was.
  if (!is_host) {
    kind = to_.readings->Add(target.field, target.entity, at, value, IsRestarted(target));
    if (kind == ReadingKind::kRefused) {
      Refuse(target, to_.readings->Refused());
    }
  }
  Count(kind);
}

void PageFeed::Count(ReadingKind kind) {
  switch (kind) {
    case ReadingKind::kLate:
      ++stats_.late;
      break;
    case ReadingKind::kReset:
      ++resets_;
      break;
    case ReadingKind::kGap:
      ++gaps_;
      break;
    case ReadingKind::kRefused:
    case ReadingKind::kFirst:
    case ReadingKind::kTaken:
      break;
  }
}

// Most counters are the kernel's, which a new exporter does not change (docs/decisions/0021).
bool PageFeed::IsRestarted(const SeriesTarget& target) const {
  const auto [kind, index] = target.field;
  return !of_.restarted->empty() && (KindRow(kind).own_counts >> index & 1U) != 0 &&
         of_.restarted->contains(to_.directory->Entities(kind)[target.entity].node);
}

void PageFeed::Refuse(const SeriesTarget& target, const Refusal& refusal) {
  const auto [kind, index] = target.field;
  // Both kinds of readings refuse the same increase.
  if (!refused_.empty() && refused_.back().target.entity == target.entity &&
      refused_.back().target.field.kind == kind && refused_.back().target.field.index == index) {
    return;
  }
  refused_.push_back({target, refusal});
  const auto& row = KindRow(kind);
  ++stats_.impossible[static_cast<std::size_t>(row.bounds[index].quantity)];
  if (stats_.examples.size() < kMaxExamples) {
    const auto& entity = to_.directory->Entities(kind)[target.entity];
    stats_.examples.push_back(
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
void PageFeed::SpoilRefused() {
  for (const auto& [target, refusal] : refused_) {
    to_.readings->Spoil(target.field.kind, target.entity, refusal.from, refusal.to);
    if (to_.hosts != nullptr) {
      to_.hosts->Spoil(target.field.kind, target.entity, refusal.from, refusal.to);
    }
  }
  refused_.clear();
}

}  // namespace limpet
