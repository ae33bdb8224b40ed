// intake.h: pages in, readings out: parsing, the series cache of each source, bounds.
//
// Threads: one at a time.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/mapping/directory.h"
#include "diagnoser/mapping/series_cache.h"
#include "diagnoser/pipeline.h"
#include "diagnoser/pipeline/readings.h"

namespace limpet {

class Intake {
 public:
  explicit Intake(PipelineLimits limits) : limits_(limits) {}

  // `latest`: readings after it are refused; nullopt: none is too late yet.
  [[nodiscard]] Result<IngestStats> Take(const Scrape& scrape, std::optional<UnixTime> latest,
                                         Directory& directory, Readings& readings,
                                         PipelineCounters& counters);
  void Forget(std::string_view source);
  // Series that are gone would pile up: forgets all, the next pages fill the caches again.
  void ForgetAll();

 private:
  // A sample of the page before the whole page is known to be good.
  struct Pending {
    const SeriesTarget* target = nullptr;  // null: a series not seen before
    PageItem item;
  };

  // Nodes whose exporter has started anew since the page before.
  using Nodes = std::set<std::string, std::less<>>;
  [[nodiscard]] Nodes TakeStarts(const Scrape& scrape);
  [[nodiscard]] Result<IngestStats> Parse(const Scrape& scrape, SeriesCache& cache);
  const SeriesTarget* Introduce(const Pending& pending, const Scrape& scrape, SeriesCache& cache,
                                Directory& directory);

  PipelineLimits limits_;
  std::map<std::string, SeriesCache, std::less<>> caches_;
  std::size_t series_ = 0;
  std::vector<Pending> pending_;  // kept for its memory
  std::vector<PageItem> started_;
  std::map<std::string, double, std::less<>> starts_;  // of the exporter, by node
};

}  // namespace limpet
