#include "diagnoser/pipeline/intake.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "exporter/common/exposition/parser.h"

namespace limpet {
namespace {

using LineKind = SeriesCache::LineKind;

// Sums and products of readings up to this stay finite in every formula.
constexpr double kLargestReading = 1e290;
// Instants beyond these would overflow the arithmetic of the grid.
constexpr UnixTime kEarliest = UnixFromSeconds(0);
constexpr UnixTime kLatest = UnixFromSeconds(7'000'000'000);  // the year 2191
// Of lines that nothing is made of, over all sources; further ones are parsed each time.
constexpr std::size_t kMaxOtherBytes = std::size_t{256} << 20U;

// So many readings ahead the counters are fetched from memory: they are more than a cache holds.
constexpr std::size_t kFetchAhead = 12;

bool IsUsable(double value) { return value >= 0 && value <= kLargestReading; }  // a NaN is not

}  // namespace

// What a line that was not expected means for the page's order and readings.
void Intake::Note(const PageItem& item, std::string_view line, const Scrape& scrape,
                  SeriesCache& cache) {
  const bool comment = item.kind != ItemKind::kSample;
  const auto text = comment ? line : item.series;
  const auto number = cache.Find(text);
  const auto at = item.timestamp.value_or(scrape.at);
  auto kind = LineKind::kComment;
  if (number != SeriesCache::kNone) {
    const auto& entry = cache.At(number);
    kind = entry.kind;
    if (kind == LineKind::kSeries && entry.target.wanted) {
      Keep(at, item.value, number);
    }
  } else {
    if (!comment) {
      const auto field = FindField(item.name);
      const auto shape = field ? std::optional(KindRow(field->kind).shape) : std::nullopt;
      const bool wanted = shape && (*shape != ReadingsShape::kHost || hosts_ != nullptr);
      kind = !wanted                               ? LineKind::kIgnored
             : *shape == ReadingsShape::kStartTime ? LineKind::kStart
                                                   : LineKind::kSeries;
    }
    Keep(at, item.value, kFresh + static_cast<std::uint32_t>(fresh_.size()));
    fresh_.push_back({.kind = kind, .text = text, .name = item.name, .labels = item.labels});
  }
  if (kind == LineKind::kStart) {
    RecordStart(item.series, item.value, scrape);
  }
}

void Intake::BeginRun(UnixTime at) {
  runs_.push_back({.at = at, .begin = pending_.size()});
  run_at_ = at;
}

void Intake::RecordStart(std::string_view series, double value, const Scrape& scrape) {
  std::string node(scrape.node);
  const auto brace = series.find('{');
  if (node.empty() && brace != std::string_view::npos) {
    if (const auto labels = ParseLabels(series.substr(brace + 1, series.size() - brace - 2))) {
      for (const auto& [name, text] : *labels) {
        node = name == "instance" ? text : node;
      }
    }
  }
  started_.push_back({.node = std::move(node), .value = value});
}

Intake::Nodes Intake::TakeStarts() {
  Nodes restarted;
  for (const auto& start : started_) {
    const auto known = starts_.find(start.node);
    if (known != starts_.end()) {
      if (known->second != start.value) {
        known->second = start.value;
        restarted.insert(start.node);
      }
    } else if (starts_.size() < limits_.max_components) {
      starts_.emplace(start.node, start.value);
    }
  }
  return restarted;
}

Result<IngestStats> Intake::Parse(const Scrape& scrape, SeriesCache& cache) {
  pending_.clear();
  runs_.clear();
  fresh_.clear();
  started_.clear();
  if (!scrape.recording) {
    cache.Rewind();  // a piece of a recording goes on where the one before ended
  }
  IngestStats stats;
  ParserOptions options;
  options.format = scrape.format;
  options.mode = scrape.recording ? ParseMode::kResume : ParseMode::kStrict;
  PageParser page(scrape.text, options);
  while (true) {
    if (reading_ == LineReading::kPredicted) {
      for (auto number = cache.Expected(); number != SeriesCache::kNone;
           number = cache.Expected()) {
        const auto& entry = cache.At(number);
        if (entry.kind == LineKind::kComment) {
          if (!page.Skip(entry.Text())) {
            break;
          }
        } else {
          const auto sample = page.NextIs(entry.Text(), entry.shape);
          if (!sample) {
            break;
          }
          if (sample.shape != entry.shape) {
            cache.SetShape(number, sample.shape);
          }
          ++stats.samples;
          if (entry.kind == LineKind::kSeries && entry.target.wanted) {
            Keep(sample.stamped ? sample.timestamp : scrape.at, sample.value, number);
          } else if (entry.kind == LineKind::kStart) {
            RecordStart(entry.Text(), sample.value, scrape);
          }
        }
        cache.Came(number);
      }
    }
    const auto item = page.Next();
    switch (item.kind) {
      case ItemKind::kEnd:
        return stats;
      case ItemKind::kError:
        if (!scrape.recording) {
          return page.error();
        }
        ++stats.bad_lines;
        break;
      case ItemKind::kSample:
        ++stats.samples;
        Note(item, {}, scrape, cache);
        break;
      case ItemKind::kHelp:
      case ItemKind::kType:
      case ItemKind::kUnit:
        Note(item, page.LineText(), scrape, cache);
        break;
      case ItemKind::kEof:
      case ItemKind::kCut:
        break;
    }
  }
}

std::uint32_t Intake::Introduce(const Fresh& fresh, const Scrape& scrape, SeriesCache& cache,
                                Directory& directory) {
  // Twice on one page, and introduced by the first of them.
  if (const auto known = cache.Find(fresh.text); known != SeriesCache::kNone) {
    return known;
  }
  if (fresh.kind != LineKind::kSeries) {
    if (other_lines_ >= limits_.max_series || other_bytes_ + fresh.text.size() > kMaxOtherBytes) {
      return SeriesCache::kNone;
    }
    ++other_lines_;
    other_bytes_ += fresh.text.size();
    return cache.Add(fresh.text, fresh.kind, {.field = {}, .entity = 0, .wanted = false});
  }
  if (series_ >= limits_.max_series) {
    return SeriesCache::kNone;
  }
  SeriesTarget target{.field = *FindField(fresh.name), .entity = 0, .wanted = false};
  const auto labels = ParseLabels(fresh.labels);
  if (labels && directory.Count() < limits_.max_components) {
    const auto entity = directory.Resolve(
        target.field, *labels, {.node = scrape.node, .role = scrape.role, .labels = scrape.labels});
    target.entity = entity.value_or(0);
    target.wanted = entity.has_value();
    if (target.field.index == kLabelField) {
      const auto field = FindFieldByLabels(fresh.name, *labels);
      target.field = field.value_or(target.field);
      target.wanted = target.wanted && field;
    }
  }
  ++series_;
  return cache.Add(fresh.text, fresh.kind, target);
}

Result<IngestStats> Intake::Take(const Scrape& scrape, std::optional<UnixTime> latest,
                                 Directory& directory, Readings& readings,
                                 PipelineCounters& counters) {
  auto found = caches_.find(scrape.source);
  if (found == caches_.end()) {
    found = caches_.emplace(std::string(scrape.source), SeriesCache()).first;
  }
  auto& cache = found->second;
  auto parsed = Parse(scrape, cache);
  if (!parsed) {
    return parsed;
  }
  auto& stats = *parsed;
  const auto restarted = TakeStarts();
  // Most counters are the kernel's, which a new exporter does not change (docs/decisions/0021).
  const auto is_restarted = [&](const SeriesTarget& target) {
    const auto [kind, index] = target.field;
    return !restarted.empty() && (KindRow(kind).own_counts >> index & 1U) != 0 &&
           restarted.contains(directory.Entities(kind)[target.entity].node);
  };
  const auto last_allowed = latest ? std::min(*latest, kLatest) : kLatest;
  auto first = UnixTime::max();
  auto last = UnixTime::min();
  const auto take = [&](const Pending& pending, UnixTime at) {
    const bool fresh = pending.number >= kFresh;
    auto number = pending.number;
    if (fresh && fresh_[number - kFresh].kind != LineKind::kSeries) {
      (void)Introduce(fresh_[number - kFresh], scrape, cache, directory);
      return;
    }
    if (at < kEarliest || at > last_allowed || !IsUsable(pending.value)) {
      ++stats.refused;
      return;
    }
    first = std::min(first, at);
    last = std::max(last, at);
    if (fresh) {
      number = Introduce(fresh_[number - kFresh], scrape, cache, directory);
      if (number == SeriesCache::kNone) {
        ++stats.refused;
        return;
      }
    }
    const auto& target = cache.At(number).target;
    if (!target.wanted || target.field.index == kInfoField) {
      return;
    }
    ++stats.mapped;
    auto taken = ReadingKind::kTaken;
    if (hosts_ != nullptr) {
      taken = hosts_->Add(target.field, target.entity, at, pending.value);
    }
    if (KindRow(target.field.kind).shape != ReadingsShape::kHost) {
      taken = readings.Add(target.field, target.entity, at, pending.value, is_restarted(target));
    }
    switch (taken) {
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
  };
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const auto begin = runs_[run].begin;
    const auto end = run + 1 < runs_.size() ? runs_[run + 1].begin : pending_.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (i + kFetchAhead < end && pending_[i + kFetchAhead].number < kFresh) {
        const auto& target = cache.At(pending_[i + kFetchAhead].number).target;
        readings.Fetch(target.field, target.entity);
      }
      take(pending_[i], runs_[run].at);
    }
  }
  if (first <= last) {
    stats.first = first;
    stats.last = last;
  }
  counters.samples += stats.samples;
  counters.mapped += stats.mapped;
  counters.late += stats.late;
  counters.refused += stats.refused;
  counters.series = series_;
  counters.components = directory.Count();
  return parsed;
}

void Intake::Forget(std::string_view source) {
  const auto found = caches_.find(source);
  if (found != caches_.end()) {
    const auto& cache = found->second;
    series_ -= cache.Size(LineKind::kSeries);
    other_lines_ -= cache.Size(LineKind::kStart) + cache.Size(LineKind::kIgnored) +
                    cache.Size(LineKind::kComment);
    other_bytes_ -= cache.OtherBytes();
    caches_.erase(found);
  }
}

void Intake::ForgetAll() {
  caches_.clear();
  series_ = 0;
  other_lines_ = 0;
  other_bytes_ = 0;
}

}  // namespace limpet
