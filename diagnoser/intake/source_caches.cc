#include "diagnoser/intake/source_caches.h"

#include <optional>

#include "diagnoser/mapping/builtin.h"

namespace limpet {
namespace {

using LineKind = SeriesCache::LineKind;

// Of lines that nothing is made of, over all sources; further ones are parsed each time.
constexpr std::size_t kMaxOtherBytes = std::size_t{256} << 20U;
// What a page has not had for so many pages is forgotten; a minute or two for most targets.
constexpr std::uint32_t kPagesUnseen = 64;
// Ten times the longest that an exporter has: a longer one is not worth its memory.
constexpr std::size_t kMaxLineBytes = 4096;
constexpr Field kHostLoad{EntityKind::kHost, FieldNumber(HostGauge::kLoad1)};

}  // namespace

SourceCaches::Source& SourceCaches::FindOrAdd(std::string_view source, std::string_view node) {
  auto found = sources_.find(source);
  if (found == sources_.end()) {
    found = sources_.emplace(std::string(source), Source()).first;
    found->second.node = node;
    found->second.number = families_.Add();
  }
  return found->second;
}

std::shared_ptr<SeriesCache> SourceCaches::Share(std::string_view source) {
  return FindOrAdd(source, {}).cache;
}

SeriesCache& SourceCaches::Prepare(const Scrape& scrape) {
  auto& cache = *FindOrAdd(scrape.source, scrape.node).cache;
  // A piece of a recording is no page: its lines may be hours apart.
  if (!scrape.recording) {
    Account(cache, true);
    cache.ForgetUnseen(kPagesUnseen);
    Account(cache, false);
  }
  return cache;
}

void SourceCaches::Account(const SeriesCache& cache, bool gone) {
  const auto lines = cache.Size(LineKind::kIdentity) + cache.Size(LineKind::kIgnored) +
                     cache.Size(LineKind::kComment);
  const auto change = [gone](std::size_t& total, std::size_t part) {
    total = gone ? total - part : total + part;
  };
  change(series_, cache.Size(LineKind::kSeries));
  change(other_lines_, lines);
  change(other_bytes_, cache.OtherBytes());
}

std::uint32_t SourceCaches::Introduce(const PageReader::NewLine& line, const Scrape& scrape,
                                      SeriesCache& cache, Directory& directory) {
  // Twice on one page, and introduced by the first of them.
  if (const auto known = cache.Find(line.text); known != SeriesCache::kNone) {
    return known;
  }
  if (IsFull(line, scrape, cache)) {
    return SeriesCache::kNone;
  }
  if (line.kind != LineKind::kSeries) {
    return IntroduceOther(line, cache);
  }
  if (series_ >= limits_.max_series) {
    return SeriesCache::kNone;
  }
  const auto target = Place(line, scrape, directory);
  ++series_;
  return cache.Add(line.text, line.kind, target);
}

// The source's own bounds. Files that somebody replays are as long as they are.
bool SourceCaches::IsFull(const PageReader::NewLine& line, const Scrape& scrape,
                          const SeriesCache& cache) const {
  return !scrape.recording &&
         (cache.Size(line.kind) >= limits_.max_page_lines || line.text.size() > kMaxLineBytes ||
          cache.Bytes() + line.text.size() > limits_.max_source_bytes);
}

std::uint32_t SourceCaches::IntroduceOther(const PageReader::NewLine& line, SeriesCache& cache) {
  if (other_lines_ >= limits_.max_series || other_bytes_ + line.text.size() > kMaxOtherBytes) {
    return SeriesCache::kNone;
  }
  ++other_lines_;
  other_bytes_ += line.text.size();
  return cache.Add(line.text, line.kind, {.field = {}, .entity = 0, .wanted = false});
}

SeriesTarget SourceCaches::Place(const PageReader::NewLine& line, const Scrape& scrape,
                                 Directory& directory) {
  const auto field = FindField(line.name);
  SeriesTarget target{
      .field = field.value_or(Field{EntityKind::kCustom}), .entity = 0, .wanted = false};
  const auto labels = ParseLabels(line.labels);
  if (!labels) {
    return target;
  }
  // What the diagnosis does not compare by itself, the configuration's metrics may read.
  const auto* const store = field ? stores_.Of(field->kind) : nullptr;
  if (!field || (store != nullptr && !store->IsCompared())) {
    SeriesTarget own{.field = {EntityKind::kCustom}, .entity = 0, .wanted = false};
    PlaceInStore(line, *labels, scrape, own);
    if (!field || own.wanted) {
      return own;
    }
  }
  if (const auto shown =
          target.field.index == kLabelField ? FindFieldByLabels(line.name, *labels) : std::nullopt;
      shown && !IsEntity(shown->kind)) {
    target.field = *shown;
  }
  if (!IsEntity(target.field.kind)) {
    PlaceInStore(line, *labels, scrape, target);
    return target;
  }
  PlaceComponent(line, *labels, scrape, target, directory);
  return target;
}

void SourceCaches::PlaceComponent(const PageReader::NewLine& line, const LabelPairs& labels,
                                  const Scrape& scrape, SeriesTarget& target,
                                  Directory& directory) {
  const SourceLabels source{.node = scrape.node, .role = scrape.role, .labels = scrape.labels};
  const auto refused = directory.Refused();
  // The only place where components come into being.
  const auto entity = directory.Resolve(target.field, labels, source);
  target.entity = entity.value_or(0);
  target.wanted = entity.has_value();
  if (!entity && target.field == kHostLoad) {
    // No profile asks for it: the page does.
    target.field = {EntityKind::kActivity, FieldNumber(ActivityField::kLoad1)};
    PlaceInStore(line, labels, scrape, target);
    return;
  }
  if (entity) {
    families_.Tell(FindOrAdd(scrape.source, scrape.node).number, target.field.kind, *entity);
  }
  // Remembered all the same: it is not looked at on every page again.
  target.no_room = directory.Refused() != refused;
  if (target.field.index == kLabelField) {
    const auto by_label = FindFieldByLabels(line.name, labels);
    target.field = by_label.value_or(target.field);
    target.wanted = target.wanted && by_label;
  }
}

void SourceCaches::PlaceInStore(const PageReader::NewLine& line, const LabelPairs& labels,
                                const Scrape& scrape, SeriesTarget& target) const {
  auto* const store = stores_.Of(target.field.kind);
  const SourceLabels source{.node = scrape.node, .role = scrape.role, .labels = scrape.labels};
  const auto series = store == nullptr ? std::nullopt
                                       : store->Resolve({.field = target.field,
                                                         .name = line.name,
                                                         .labels = labels,
                                                         .source = source,
                                                         .target = scrape.source});
  target.entity = series.value_or(0);
  target.wanted = series.has_value();
}

void SourceCaches::Forget(std::string_view source) {
  const auto found = sources_.find(source);
  if (found != sources_.end()) {
    Account(*found->second.cache, true);
    sources_.erase(found);
  }
}

void SourceCaches::ForgetNode(std::string_view node) {
  std::erase_if(sources_, [&](const auto& source) {
    const bool may_name_it = source.second.node.empty() || source.second.node == node;
    if (may_name_it) {
      Account(*source.second.cache, true);
    }
    return may_name_it;
  });
}

void SourceCaches::ForgetAll() {
  sources_.clear();
  families_.Clear();
  series_ = 0;
  other_lines_ = 0;
  other_bytes_ = 0;
}

std::set<std::string, std::less<>> SourceCaches::CrowdedNodes() const {
  std::set<std::string, std::less<>> nodes;
  for (const auto& [name, source] : sources_) {
    if (source.cache->WithoutRoom() > 0 && !source.node.empty()) {
      nodes.insert(source.node);
    }
  }
  return nodes;
}

}  // namespace limpet
