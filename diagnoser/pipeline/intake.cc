#include "diagnoser/pipeline/intake.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnoser/series/metrics.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {
namespace {

// Sums and products of readings up to this stay finite in every formula.
constexpr double kLargestReading = 1e290;
// Instants beyond these would overflow the arithmetic of the grid.
constexpr UnixTime kEarliest = UnixFromSeconds(0);
constexpr UnixTime kLatest = UnixFromSeconds(7'000'000'000);  // the year 2191

bool IsUsable(double value) { return value >= 0 && value <= kLargestReading; }  // a NaN is not

void Note(IngestStats& stats, UnixTime at) {
  stats.first = stats.first ? std::min(*stats.first, at) : at;
  stats.last = stats.last ? std::max(*stats.last, at) : at;
}

}  // namespace

Result<IngestStats> Intake::Parse(const Scrape& scrape, SeriesCache& cache) {
  pending_.clear();
  started_.clear();
  cache.Rewind();
  IngestStats stats;
  ParserOptions options;
  options.format = scrape.format;
  options.mode = scrape.recording ? ParseMode::kResume : ParseMode::kStrict;
  PageParser page(scrape.text, options);
  for (auto item = page.Next(); item.kind != ItemKind::kEnd; item = page.Next()) {
    if (item.kind == ItemKind::kError) {
      if (!scrape.recording) {
        return page.error();
      }
      ++stats.bad_lines;
    } else if (item.kind == ItemKind::kSample) {
      ++stats.samples;
      const auto* target = cache.Find(item.series);
      const auto field = target == nullptr ? FieldOf(item.name) : std::nullopt;
      if (field && field->kind == ThingKind::kExporter) {
        started_.push_back(item);
      } else if (target != nullptr ? target->wanted : field.has_value()) {
        pending_.push_back({.target = target, .item = item});
      }
    }
  }
  return stats;
}

Intake::Nodes Intake::TakeStarts(const Scrape& scrape) {
  Nodes restarted;
  for (const auto& item : started_) {
    std::string node(scrape.node);
    if (const auto labels = ParseLabels(item.labels); node.empty() && labels) {
      for (const auto& [name, value] : *labels) {
        node = name == "instance" ? value : node;
      }
    }
    const auto known = starts_.find(node);
    if (known != starts_.end()) {
      if (known->second != item.value) {
        known->second = item.value;
        restarted.insert(node);
      }
    } else if (starts_.size() < limits_.max_components) {
      starts_.emplace(node, item.value);
    }
  }
  return restarted;
}

const SeriesTarget* Intake::Introduce(const Pending& pending, const Scrape& scrape,
                                      SeriesCache& cache, Directory& directory) {
  // Twice on one page, and introduced by the first of them.
  if (const auto* known = cache.Find(pending.item.series)) {
    return known;
  }
  if (series_ >= limits_.max_series) {
    return nullptr;
  }
  SeriesTarget target{.field = *FieldOf(pending.item.name), .thing = 0, .wanted = false};
  const auto labels = ParseLabels(pending.item.labels);
  if (labels && directory.Count() < limits_.max_components) {
    const auto thing = directory.Resolve(
        target.field, *labels, {.node = scrape.node, .role = scrape.role, .labels = scrape.labels});
    target.thing = thing.value_or(0);
    target.wanted = thing.has_value();
  }
  ++series_;
  return cache.Add(pending.item.series, target);
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
  const auto restarted = TakeStarts(scrape);
  // The milliseconds of disks alone are the exporter's own count (docs/decisions/0021).
  const auto is_restarted = [&](const SeriesTarget& target) {
    return !restarted.empty() && target.field.kind == ThingKind::kDisk &&
           IsTime(static_cast<DiskCounter>(target.field.index)) &&
           restarted.contains(directory.Things(ThingKind::kDisk)[target.thing].node);
  };
  for (const auto& pending : pending_) {
    const auto at = pending.item.timestamp.value_or(scrape.at);
    const bool in_time = at >= kEarliest && at <= kLatest && (!latest || at <= *latest);
    if (!in_time || !IsUsable(pending.item.value)) {
      ++stats.refused;
      continue;
    }
    Note(stats, at);
    const auto* target = pending.target;
    if (target == nullptr) {
      target = Introduce(pending, scrape, cache, directory);
    }
    if (target == nullptr) {
      ++stats.refused;
      continue;
    }
    if (!target->wanted || target->field.index == kInfoField) {
      continue;
    }
    ++stats.mapped;
    switch (
        readings.Add(target->field, target->thing, at, pending.item.value, is_restarted(*target))) {
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
    series_ -= found->second.size();
    caches_.erase(found);
  }
}

void Intake::ForgetAll() {
  caches_.clear();
  series_ = 0;
}

}  // namespace limpet
