// pipeline.h: the whole diagnosis without I/O: scrapes in, events out.
//
//   Pipeline pipeline(config);            // config checked by CheckPipelineConfig before
//   pipeline.Ingest({.source = url, .node = "io01", .role = "io", .at = now, .text = page});
//   for (const Event& event : pipeline.Advance(now)) …
//
// Same data, same events, whatever the order of the sources and however often Advance is called:
// a sample is fixed by the readings around it alone. A window end T is closed once every series has
// a reading at or after T, or when the watermark has passed its last reading by max_gap (nothing
// that comes later could fill the sample). So live events follow the data by one scrape, and a
// target that dies holds them up by max_gap at most.
//
// Bounded: series, components and groups by PipelineLimits; each component keeps the samples of one
// window and a little more, nothing grows with time.
// Threads: one at a time (the caller's lock); View() returns values that may be handed to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/evidence/config.h"
#include "diagnoser/intake/intake.h"
#include "diagnoser/intake/page_ahead.h"
#include "diagnoser/intake/scrape.h"
#include "diagnoser/pipeline/state.h"
#include "diagnoser/series/activity_readings.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/view/node_rates.h"
#include "diagnoser/view/peer_band.h"
#include "diagnoser/view/roster.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

class Pipeline {
 public:
  // A config with problems (CheckPipelineConfig) must not get here.
  explicit Pipeline(PipelineConfig config);
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;

  // Has the peer groups of a window, and the metrics of a group, judged, and pages of different
  // sources ingested, by `for_each`. They share nothing that changes, so events are the same.
  void WorkBy(const SideBySide& for_each);
  // Tells how many targets there are: each has its share of the room for components, whoever comes
  // first.
  void ExpectNodes(std::size_t count);
  // Takes the readings of a page. An error (the page is not one) leaves everything as it was.
  // `ahead`: the same page, read already.
  [[nodiscard]] Result<IngestStats> Ingest(const Scrape& scrape, const PageAhead* ahead = nullptr);
  // Pages of recordings, the same as one after the other. `stats` of each says what came of it;
  // `latest` is set from the page's own instant, which stands for the watermark of its turn.
  void IngestTogether(std::span<PageOfTurn> pages);
  // A recording's pages may be read on other threads before they are ingested (page_ahead.h).
  [[nodiscard]] SourceAhead ReadAhead(std::string_view source);
  // The caller promises that no reading at or before `watermark` will come any more (one that does
  // is left out as late). Returns the events of what could be closed, in order of time.
  [[nodiscard]] std::vector<Event> Advance(UnixTime watermark);
  // The input has ended: closes every window end up to the last reading, then one SummaryEvent a
  // preset. Only the replay does this.
  [[nodiscard]] std::vector<Event> Finish();
  // Masks these (PipelineConfig::masked).
  void SetMasked(std::vector<std::string> masked);
  // A source is gone (target removed from the config): its series are forgotten.
  void Forget(std::string_view source);
  // So is the node that it alone told of: its disks, interfaces and connections leave their groups
  // with the next window. What is remembered of them stays, should they come back.
  void ForgetNode(std::string_view source, std::string_view node);
  // Nothing is remembered of the node any more.
  void ForgetRecords(std::string_view node);

  [[nodiscard]] PipelineView View() const;
  // Returns the nodes for the live page, and a number that rises when that may have changed.
  [[nodiscard]] Roster MakeRoster() const;
  [[nodiscard]] std::uint64_t RosterVersion() const;
  // Returns what the nodes do, or did not long ago, as means of a step each.
  [[nodiscard]] std::vector<NodeRates> Rates(const RatesAt& at) const;
  [[nodiscard]] Duration RateStep() const;
  // Returns what their disks and programs have been asked for since we watch, of nodes that say so,
  // and how full their disks are, where that is known. Both by node, for now and then: they look at
  // all.
  [[nodiscard]] std::map<std::string, ActivityTotals> Activity() const;
  [[nodiscard]] std::map<std::string, double> UsedSpace(UnixTime now) const;
  // The window must be the last closed one of its preset, or its data may be gone. nullopt: there
  // is no such preset or group, or the metric has no band.
  [[nodiscard]] std::optional<PeerBand> Band(const BandRequest& request) const;
  // One a preset that is no scale.
  [[nodiscard]] std::vector<HourlyRows> Hourly() const;
  [[nodiscard]] const PipelineCounters& Counters() const;
  // "node/device" → world-wide name, of all disks whose name is known.
  [[nodiscard]] std::map<std::string, std::string> ListWwns() const;
  // Not const: who has come since the last window is found out and remembered here too, so that a
  // restart does not take a newcomer for an old hand.
  [[nodiscard]] PipelineState ExportState();
  // Must be called before the first Ingest. Parts whose preset, group or metric does not exist are
  // left out; returns how many. What the last closed windows said is said again by View, without
  // counting them twice.
  std::size_t ImportState(const PipelineState& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace limpet
