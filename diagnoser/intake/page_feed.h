// page_feed.h: the samples of one page on their way to the readings.
//
//   feed.Begin(page, …);
//   feed.AddTracks(spreads);   // may be left out; on any thread
//   feed.AddRest();            // the pipeline's thread
//
// AddTracks adds what goes to counters that are there already: most of a page. It touches nothing
// but these, so pages whose sources have no entity in common (SourceFamilies) may be fed side by
// side. AddRest adds the others, and everything from the first sample on that would change what
// comes after it: so both together do what AddRest does alone.
// Threads: one at a time; see AddTracks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/intake/counters.h"
#include "diagnoser/intake/identities.h"
#include "diagnoser/intake/page_reader.h"
#include "diagnoser/intake/scrape.h"
#include "diagnoser/intake/source_caches.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/activity_readings.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/readings.h"

namespace limpet {

// Where samples go; all outlive the feed. Null: nobody reads these.
struct FeedTargets {
  SourceCaches* caches = nullptr;
  Directory* directory = nullptr;
  Readings* readings = nullptr;
  HostReadings* hosts = nullptr;  // null without behaviour profiles
  // What takes a part of the entities' readings, too.
  FactReadings* facts = nullptr;
  ActivityReadings* activity = nullptr;
};

// A page that was read. All of it outlives the feed.
struct FedPage {
  const Scrape* scrape = nullptr;
  const PageReader* page = nullptr;
  SeriesCache* cache = nullptr;                  // of its source
  const Identities::Nodes* restarted = nullptr;  // whose exporters have been since the page before
  UnixTime last_allowed;                         // what is later is refused
};

class PageFeed {
 public:
  // Another page; `stats` says how it was read.
  void Begin(const FeedTargets& targets, const FedPage& page, IngestStats stats);
  // False: no sample was left to AddRest that might change what these counters do with later ones.
  // Not with `hosts`, nor where somebody was restarted.
  [[nodiscard]] bool AddTracks(Spreads& spreads);
  void AddRest();

  // After AddRest: what was made of the page.
  [[nodiscard]] IngestStats& Stats() { return stats_; }
  [[nodiscard]] std::uint64_t Resets() const { return resets_; }
  [[nodiscard]] std::uint64_t Gaps() const { return gaps_; }

 private:
  struct Refused {
    SeriesTarget target;
    Refusal refusal;
  };
  struct Left {
    std::size_t sample = 0;
    UnixTime at;
  };
  // What AddTracks does with a sample.
  enum class Step : std::uint8_t { kAdded, kLeft, kStop };

  void FetchAhead(std::size_t at, std::size_t end) const;
  [[nodiscard]] Step AddTrack(const PageReader::Sample& sample, UnixTime at, Spreads& spreads);
  void Add(const PageReader::Sample& sample, UnixTime at);
  void AddReading(const SeriesTarget& target, double value, UnixTime at);
  void AddToStore(const SeriesTarget& target, double value, UnixTime at);
  void AddSpeed(const SeriesTarget& target, double value, UnixTime at);
  void Count(ReadingKind kind);
  void CountInstant(UnixTime at);
  void Refuse(const SeriesTarget& target, const Refusal& refusal);
  void SpoilRefused();
  [[nodiscard]] bool IsTaken(const PageReader::Sample& sample, UnixTime at) const;
  [[nodiscard]] bool IsRestarted(const SeriesTarget& target) const;

  FeedTargets to_;
  FedPage of_;
  IngestStats stats_;
  std::uint64_t resets_ = 0;
  std::uint64_t gaps_ = 0;
  UnixTime first_;
  UnixTime last_;
  std::vector<Refused> refused_;
  std::vector<Left> left_;  // by AddTracks, before next_
  std::size_t next_ = 0;    // sample that AddTracks has not looked at
};

}  // namespace limpet
