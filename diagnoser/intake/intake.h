// intake.h: pages in, readings out, within the pipeline's bounds.
//
//   page_reader  text → samples and new lines     source_caches  lines → series, bounded
//   identities   whose pages they are      page_feed      samples → readings
//   disk_identity  whose disks
//
// Threads: one at a time.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/custom/readings.h"
#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/intake/counters.h"
#include "diagnoser/intake/disk_identity.h"
#include "diagnoser/intake/identities.h"
#include "diagnoser/intake/limits.h"
#include "diagnoser/intake/page_ahead.h"
#include "diagnoser/intake/page_feed.h"
#include "diagnoser/intake/page_reader.h"
#include "diagnoser/intake/scrape.h"
#include "diagnoser/intake/source_caches.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/readings.h"

namespace limpet {

// A page of a recording, among others of about the same time.
struct PageOfTurn {
  Scrape scrape;
  const PageAhead* ahead = nullptr;           // the same page, read already; null: it was not
  UnixTime latest;                            // readings after it are refused
  Result<IngestStats> stats = IngestStats();  // said by IngestTogether
};

class Intake {
 public:
  explicit Intake(const PipelineLimits& limits, LineReading reading = LineReading::kPredicted)
      : page_(reading, limits.max_page_lines),
        caches_(limits),
        identities_(limits.max_components) {}
  // From now on readings of the kind go to `store`, which must outlive the intake.
  void Feed(EntityKind kind, ReadingStore& store) {
    page_.Want(kind);
    caches_.Feed(kind, store);
  }
  // The same for what host metrics are made of.
  void FeedHosts(HostReadings& hosts) {
    hosts_ = &hosts;
    page_.Want(EntityKind::kHost);
  }
  // The same for stores that are told of entities, too.
  void FeedFacts(FactReadings& facts) {
    facts_ = &facts;
    Feed(EntityKind::kFact, facts);
  }
  void FeedActivity(ActivityReadings& activity) {
    activity_ = &activity;
    Feed(EntityKind::kActivity, activity);
  }
  // The same for metrics of the configuration: its table says which series they are.
  void FeedCustom(CustomReadings& custom) {
    page_.WantCustom(custom.Table());
    Feed(EntityKind::kCustom, custom);
  }

  // `latest`: readings after it are refused; nullopt: none is too late yet. `ahead`: the scrape as
  // it was read already; null: it was not. An error (the page is not one) changes nothing.
  [[nodiscard]] Result<IngestStats> Ingest(const Scrape& scrape, std::optional<UnixTime> latest,
                                           Directory& directory, Readings& readings,
                                           PipelineCounters& counters,
                                           const PageAhead* ahead = nullptr);
  // The same for several, one after the other; but what goes to counters of different sources is
  // added side by side, by `for_each`.
  void IngestTogether(std::span<PageOfTurn> pages, const SideBySide& for_each, Directory& directory,
                      Readings& readings, PipelineCounters& counters);
  // For pages of the source that are read before they are ingested.
  [[nodiscard]] SourceAhead ReadAhead(std::string_view source) {
    return {.cache = caches_.Share(source), .reader = page_.Another()};
  }
  void Forget(std::string_view source) { caches_.Forget(source); }
  // The sources that may name entities of the node.
  void ForgetNode(std::string_view node) { caches_.ForgetNode(node); }
  [[nodiscard]] std::set<std::string, std::less<>> CrowdedNodes() const {
    return caches_.CrowdedNodes();
  }
  // The node is gone: its next page is a first one, and no store has a reading of it.
  void ForgetReadings(std::string_view node) {
    identities_.Forget(node);
    caches_.AllStores().ForgetNode(node);
  }
  // See ReadingStore::Tidy.
  void TidyStores(UnixTime before) { caches_.AllStores().Tidy(before); }
  // Series that are gone would pile up: forgets all, the next pages fill the caches again.
  void ForgetAll() { caches_.ForgetAll(); }

  // Kept over a restart.
  [[nodiscard]] Identities::Starts Starts() const { return identities_.All(); }
  void Resume(const Identities::Starts& starts, std::optional<UnixTime> last) {
    identities_.Resume(starts, last);
  }

 private:
  struct Changes : Identities::Changes {
    std::vector<RenewedDisk> renewed;
  };
  // Who restarted or was replaced since the page before; those start anew.
  [[nodiscard]] Changes UpdateIdentities(const PageReader& page, const Scrape& scrape,
                                         Directory& directory, Readings& readings);
  // Other disks have these names: nothing goes on.
  void Renew(const std::vector<DiskChange>& disks, Directory& directory, Readings& readings,
             std::vector<RenewedDisk>& renewed);
  void StartAnew(std::string_view node, const Directory& directory, Readings& readings);
  [[nodiscard]] FeedTargets Targets(Directory& directory, Readings& readings);
  // What was made of a page, with what it adds to the totals.
  [[nodiscard]] IngestStats Count(PageFeed& feed, const SeriesCache& cache,
                                  const Directory& directory, PipelineCounters& counters) const;
  // Nothing on it is new, and it does not say who the exporter is.
  [[nodiscard]] bool IsPlain(const PageOfTurn& page);
  void IngestPlain(std::span<PageOfTurn> pages, const SideBySide& for_each, Directory& directory,
                   Readings& readings, PipelineCounters& counters);

  PageReader page_;
  PageFeed feed_;
  std::vector<PageFeed> feeds_;  // of pages at once; kept for their memory
  SourceCaches caches_;
  Identities identities_;
  HostReadings* hosts_ = nullptr;  // null without behaviour profiles
  FactReadings* facts_ = nullptr;  // null: nothing reads them
  ActivityReadings* activity_ = nullptr;
};

}  // namespace limpet
