#include "diagnoser/pipeline/source_caches.h"

#include <optional>

#include "diagnoser/mapping/builtin.h"

namespace limpet {
namespace {

using LineKind = SeriesCache::LineKind;

// Of lines that nothing is made of, over all sources; further ones are parsed each time.
constexpr std::size_t kMaxOtherBytes = std::size_t{256} << 20U;

}  // namespace

SeriesCache& SourceCaches::Find(std::string_view source) {
  auto found = caches_.find(source);
  if (found == caches_.end()) {
    found = caches_.emplace(std::string(source), SeriesCache()).first;
  }
  return found->second;
}

std::uint32_t SourceCaches::Introduce(const PageReader::NewLine& line, const Scrape& scrape,
                                      SeriesCache& cache, Directory& directory) {
  // Twice on one page, and introduced by the first of them.
  if (const auto known = cache.Find(line.text); known != SeriesCache::kNone) {
    return known;
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

std::uint32_t SourceCaches::IntroduceOther(const PageReader::NewLine& line, SeriesCache& cache) {
  if (other_lines_ >= limits_.max_series || other_bytes_ + line.text.size() > kMaxOtherBytes) {
    return SeriesCache::kNone;
  }
  ++other_lines_;
  other_bytes_ += line.text.size();
  return cache.Add(line.text, line.kind, {.field = {}, .entity = 0, .wanted = false});
}

SeriesTarget SourceCaches::Place(const PageReader::NewLine& line, const Scrape& scrape,
                                 Directory& directory) const {
  SeriesTarget target{.field = *FindField(line.name), .entity = 0, .wanted = false};
  const auto labels = ParseLabels(line.labels);
  // A series beyond the bound is remembered as unwanted: it is not looked at on every page again.
  if (!labels || directory.Count() >= limits_.max_components) {
    return target;
  }
  // The only place where components come into being.
  const auto entity = directory.Resolve(
      target.field, *labels, {.node = scrape.node, .role = scrape.role, .labels = scrape.labels});
  target.entity = entity.value_or(0);
  target.wanted = entity.has_value();
  if (target.field.index == kLabelField) {
    const auto field = FindFieldByLabels(line.name, *labels);
    target.field = field.value_or(target.field);
    target.wanted = target.wanted && field;
  }
  return target;
}

void SourceCaches::Forget(std::string_view source) {
  const auto found = caches_.find(source);
  if (found != caches_.end()) {
    const auto& cache = found->second;
    series_ -= cache.Size(LineKind::kSeries);
    other_lines_ -= cache.Size(LineKind::kIdentity) + cache.Size(LineKind::kIgnored) +
                    cache.Size(LineKind::kComment);
    other_bytes_ -= cache.OtherBytes();
    caches_.erase(found);
  }
}

void SourceCaches::ForgetAll() {
  caches_.clear();
  series_ = 0;
  other_lines_ = 0;
  other_bytes_ = 0;
}

}  // namespace limpet
