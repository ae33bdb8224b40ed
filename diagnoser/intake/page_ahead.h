// page_ahead.h: a page of a recording that is read before its turn.
//
//   auto source = pipeline.ReadAhead(path);             // the pipeline's thread
//   page.Read(source, scrape);                          // any thread, while others are ingested
//   const auto stats = pipeline.Ingest(scrape, &page);  // the pipeline's thread again
//
// Reading changes nothing but which line the source's cache expects next, so samples are the same
// whoever reads them. A cache that the pipeline has given up meanwhile lives on with its pages,
// which are read once more when they are ingested.
// Threads: one at a time a source, from ReadAhead until its last page is ingested.
#pragma once

#include <memory>
#include <optional>

#include "diagnoser/intake/page_reader.h"
#include "diagnoser/intake/scrape.h"
#include "diagnoser/mapping/series_cache.h"
#include "exporter/common/result.h"

namespace limpet {

// One source of a pipeline.
struct SourceAhead {
  std::shared_ptr<SeriesCache> cache;
  PageReader reader;  // has read nothing
};

class PageAhead {
 public:
  PageAhead() = default;
  PageAhead(const PageAhead&) = delete;  // new lines may be views into the reader
  PageAhead& operator=(const PageAhead&) = delete;

  // `scrape` is a recording's; its text must stay until the page is ingested. Again for another
  // page of the same pipeline: its memory is used once more.
  void Read(const SourceAhead& source, const Scrape& scrape) {
    cache_ = source.cache;
    if (!reader_) {
      reader_ = source.reader;
    }
    stats_ = reader_->Read(scrape, *cache_);
  }

  // The page after it is to be read when this one is ingested: it knows the new lines then.
  [[nodiscard]] bool HasNewLines() const { return reader_ && !reader_->NewLines().empty(); }
  // Returns whether its samples have the numbers of `cache`.
  [[nodiscard]] bool IsOf(const SeriesCache& cache) const { return cache_.get() == &cache; }
  // Once it has been read.
  [[nodiscard]] const PageReader& Page() const { return *reader_; }
  [[nodiscard]] const Result<IngestStats>& Stats() const { return stats_; }

 private:
  std::shared_ptr<SeriesCache> cache_;
  std::optional<PageReader> reader_;
  Result<IngestStats> stats_ = IngestStats();
};

}  // namespace limpet
