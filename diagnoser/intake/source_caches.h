// source_caches.h: the series cache of each source, and the bounds on all of them together.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "diagnoser/intake/limits.h"
#include "diagnoser/intake/page_reader.h"
#include "diagnoser/intake/scrape.h"
#include "diagnoser/intake/source_families.h"
#include "diagnoser/intake/stores.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/mapping/series_cache.h"

namespace limpet {

class SourceCaches {
 public:
  explicit SourceCaches(const PipelineLimits& limits) : limits_(limits) {}

  // That of the scrape's source, made when it is new, without lines that its pages have not had for
  // a while; good until the source is forgotten.
  [[nodiscard]] SeriesCache& Prepare(const Scrape& scrape);
  // The same for a source whose pages are read elsewhere: its cache stays while somebody has it.
  [[nodiscard]] std::shared_ptr<SeriesCache> Share(std::string_view source);
  // The number in `cache` of a line that it did not know, placed in the directory when it is a
  // series; kNone when there is no room.
  [[nodiscard]] std::uint32_t Introduce(const PageReader::NewLine& line, const Scrape& scrape,
                                        SeriesCache& cache, Directory& directory);
  // Pages of sources of different families have no counter in common.
  [[nodiscard]] std::uint32_t FamilyOf(std::string_view source) {
    return families_.Of(FindOrAdd(source, {}).number);
  }
  // From now on series of the kind go to `store`, which must outlive the caches.
  void Feed(EntityKind kind, ReadingStore& store) { stores_.Put(kind, store); }
  [[nodiscard]] Stores& AllStores() { return stores_; }
  void Forget(std::string_view source);
  void ForgetNode(std::string_view node);
  void ForgetAll();

  [[nodiscard]] std::size_t Series() const { return series_; }
  // The nodes whose sources have series for whose entities there was no room.
  [[nodiscard]] std::set<std::string, std::less<>> CrowdedNodes() const;

 private:
  struct Source {
    std::shared_ptr<SeriesCache> cache = std::make_shared<SeriesCache>();
    std::string node;          // empty: each series says its own
    std::uint32_t number = 0;  // in `families_`
  };

  [[nodiscard]] bool IsFull(const PageReader::NewLine& line, const Scrape& scrape,
                            const SeriesCache& cache) const;
  [[nodiscard]] std::uint32_t IntroduceOther(const PageReader::NewLine& line, SeriesCache& cache);
  [[nodiscard]] SeriesTarget Place(const PageReader::NewLine& line, const Scrape& scrape,
                                   Directory& directory);
  // Fills in a series of a disk, an interface, a connection or a host.
  void PlaceComponent(const PageReader::NewLine& line, const LabelPairs& labels,
                      const Scrape& scrape, SeriesTarget& target, Directory& directory);
  // The same of a kind with a store of its own.
  void PlaceInStore(const PageReader::NewLine& line, const LabelPairs& labels, const Scrape& scrape,
                    SeriesTarget& target) const;

  [[nodiscard]] Source& FindOrAdd(std::string_view source, std::string_view node);
  // Adds what is in the cache to the totals, or takes it away.
  void Account(const SeriesCache& cache, bool gone);

  PipelineLimits limits_;
  Stores stores_;
  std::map<std::string, Source, std::less<>> sources_;
  SourceFamilies families_;
  std::size_t series_ = 0;
  std::size_t other_lines_ = 0;  // of which nothing is made
  std::size_t other_bytes_ = 0;
};

}  // namespace limpet
