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
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/readings.h"

namespace limpet {

enum class LineReading {
  kPredicted,  // each line is first compared with what came there on the page before
  kPlain,      // each line is parsed: the same readings, four times slower; tests compare the two
};

class Intake {
 public:
  explicit Intake(PipelineLimits limits, LineReading reading = LineReading::kPredicted)
      : limits_(limits), reading_(reading) {}
  // From now on also what host metrics are made of; `hosts` must outlive the intake.
  void FeedHosts(HostReadings& hosts) { hosts_ = &hosts; }

  // `latest`: readings after it are refused; nullopt: none is too late yet.
  [[nodiscard]] Result<IngestStats> Take(const Scrape& scrape, std::optional<UnixTime> latest,
                                         Directory& directory, Readings& readings,
                                         PipelineCounters& counters);
  void Forget(std::string_view source);
  // Series that are gone would pile up: forgets all, the next pages fill the caches again.
  void ForgetAll();

  // When the exporter of each node started, as far as they say so; kept over a restart.
  using Starts = std::map<std::string, double, std::less<>>;
  [[nodiscard]] const Starts& ExporterStarts() const { return starts_; }
  void Resume(Starts starts) { starts_ = std::move(starts); }

 private:
  // A sample of the page before the whole page is known to be good.
  struct Pending {
    Pending(double of_line, std::uint32_t in_cache) : value(of_line), number(in_cache) {}
    double value;
    std::uint32_t number;  // in the cache, or kFresh and above: of fresh_
  };
  // Those that follow each other with the same instant: most of a page.
  struct Run {
    UnixTime at;
    std::size_t begin = 0;  // in pending_; it ends where the next one begins
  };
  // A line not seen before.
  struct Fresh {
    SeriesCache::LineKind kind;
    std::string_view text;
    std::string_view name;
    std::string_view labels;
  };
  static constexpr std::uint32_t kFresh = 1U << 31U;
  // When an exporter says that it started.
  struct Start {
    std::string node;
    double value = 0;
  };
  // Nodes whose exporter has started anew since the page before.
  using Nodes = std::set<std::string, std::less<>>;

  [[nodiscard]] Result<IngestStats> Parse(const Scrape& scrape, SeriesCache& cache);
  void Note(const PageItem& item, std::string_view line, const Scrape& scrape, SeriesCache& cache);
  void Keep(UnixTime at, double value, std::uint32_t number) {
    if (pending_.empty() || at != run_at_) {
      BeginRun(at);
    }
    pending_.emplace_back(value, number);
  }
  void BeginRun(UnixTime at);
  void RecordStart(std::string_view series, double value, const Scrape& scrape);
  [[nodiscard]] Nodes TakeStarts();
  // The number in the cache of fresh_[fresh], kNone when there is no room.
  [[nodiscard]] std::uint32_t Introduce(const Fresh& fresh, const Scrape& scrape,
                                        SeriesCache& cache, Directory& directory);

  PipelineLimits limits_;
  HostReadings* hosts_ = nullptr;  // null without behaviour profiles
  LineReading reading_;
  std::map<std::string, SeriesCache, std::less<>> caches_;
  std::size_t series_ = 0;
  std::size_t other_lines_ = 0;
  std::size_t other_bytes_ = 0;
  std::vector<Pending> pending_;  // these are kept for their memory
  std::vector<Run> runs_;
  UnixTime run_at_;  // of the last run
  std::vector<Fresh> fresh_;
  std::vector<Start> started_;
  Starts starts_;
};

}  // namespace limpet
