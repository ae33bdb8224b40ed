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

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/mapping/rules.h"
#include "diagnoser/pipeline/profile_plan.h"
#include "diagnoser/pipeline/profile_status.h"
#include "diagnoser/pipeline/state.h"
#include "diagnoser/verdict/events.h"
#include "exporter/common/exposition/format.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

struct PipelineLimits {
  std::size_t max_series = 4'000'000;    // over all sources; further ones are counted, not kept
  std::size_t max_components = 200'000;  // disks, interfaces and sockets together
  Duration future = std::chrono::seconds(40);  // a reading this far beyond the watermark is refused
  // Of the counters, in an exported state (8 bytes each): 10,000 disks at one preset of 64 samples.
  std::size_t max_state_bins = 8'000'000;
  bool operator==(const PipelineLimits&) const = default;
};

struct PipelineConfig {
  std::vector<PresetSettings> presets;  // names must differ
  std::vector<PeerGroupRule> groups;    // names must differ
  std::vector<Thresholds> thresholds;   // at most one a preset, by Thresholds::preset
  std::optional<ProfilePlan> profiles;  // of whole nodes, beside the peer groups
  // Address → server, beside what the servers' own sockets say: for cwnd_client.
  std::map<std::string, std::string> addresses;
  // "node" or "node/device": neither judged nor a peer (maintenance); accumulators stay as they
  // are.
  std::vector<std::string> masked;
  // Events of all presets in one order of time (replay). False (live): each preset as soon as it
  // can, so that a 15 s preset waiting for a dead target does not hold up a 1 s one.
  bool one_order = false;
  PipelineLimits limits;
  bool operator==(const PipelineConfig&) const = default;
};

// What is wrong with a config, one text a problem ("presets.fast.k: expected at least 1, got 0");
// empty when it may be used.
[[nodiscard]] std::vector<std::string> CheckPipelineConfig(const PipelineConfig& config);

// One page of one source at one instant. Views need to live only during Ingest.
struct Scrape {
  std::string_view source;  // key of the series cache: target URL, file path
  std::string_view node;    // empty: the label `instance` of each series (recordings)
  std::string_view role;    // empty: the label `role` of each series
  std::span<const std::pair<std::string, std::string>> labels;  // of the target, for group rules
  UnixTime at;  // for samples without a timestamp of their own
  Format format = Format::kText;
  bool recording = false;  // lines that cannot be read are counted and skipped, not refused
  std::string_view text;
};

struct IngestStats {
  std::size_t samples = 0;        // on the page
  std::size_t mapped = 0;         // that a peer group wants
  std::size_t bad_lines = 0;      // recordings only
  std::size_t late = 0;           // not after the series' last reading: left out
  std::size_t refused = 0;        // beyond a limit, or not finite
  std::optional<UnixTime> first;  // earliest and latest instant among the samples
  std::optional<UnixTime> last;
};

// What publish shows. Of the last closed window of each preset.
struct ComponentStatus {
  std::string preset;
  std::string group;
  std::string node;
  std::string device;  // empty for servers
  std::string metric;
  bool flagged = false;
  double degree = 0;             // filtered
  std::optional<double> effect;  // w1 only
  std::uint32_t accumulator = 0;
  std::optional<std::size_t> rank;  // 1 = largest degree of its group and metric; of those > 0
};
struct NodeStatus {
  std::string preset;
  std::string node;
  Cause cause = Cause::kNone;  // root cause, secondary or not
  bool indicted = false;       // has a cause and is not secondary
  std::size_t rank = 0;        // 0 without a cause
  double degree = 0;
  std::map<std::string, LunKind> luns;  // "node/device"
};
struct GroupStatus {
  std::string preset;
  std::string group;
  std::optional<UnixTime> window_end;  // last closed window time
  std::size_t taking_part = 0;         // components in at least one metric of that window
  std::size_t missing = 0;             // known ones that took part in none
  std::size_t masked = 0;
};
struct GroupMetricStatus {
  std::string preset;
  std::string group;
  std::string metric;
  bool storm = false;    // in the last window
  bool bimodal = false;  // over the last whole day
};
struct PipelineCounters {  // since start
  std::uint64_t samples = 0;
  std::uint64_t mapped = 0;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::uint64_t windows = 0;
  std::uint64_t verdicts = 0;
  std::uint64_t resets = 0;  // counters that began again
  std::uint64_t gaps = 0;    // pairs of readings further apart than max_gap
  std::size_t series = 0;    // now in the cache
  std::size_t components = 0;
};
struct PipelineView {
  std::vector<ComponentStatus> components;  // by preset, group, metric, component
  std::vector<NodeStatus> nodes;            // every node of a group, by preset and name
  std::vector<GroupStatus> groups;          // by preset and group
  std::vector<GroupMetricStatus> metrics;   // by preset, group and metric
  std::vector<VerdictEvent> verdicts;       // of the last closed window time of each preset
  std::vector<StormEvent> storms;           // the same
  std::vector<DoctorEvent> doctor;          // of the last whole day
  // "node/device" → world-wide name, of the disks in the verdicts whose name is known.
  std::map<std::string, std::string> wwns;
  std::optional<ProfileStatus> profiles;
  PipelineCounters counters;
};

class Pipeline {
 public:
  // A config with problems (CheckPipelineConfig) must not get here.
  explicit Pipeline(PipelineConfig config);
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;

  // Takes the readings of a page. An error (the page is not one) leaves everything as it was.
  [[nodiscard]] Result<IngestStats> Ingest(const Scrape& scrape);
  // The caller promises that no reading at or before `watermark` will come any more (one that does
  // is left out as late). Returns the events of what could be closed, in order of time.
  [[nodiscard]] std::vector<Event> Advance(UnixTime watermark);
  // The input has ended: closes every window end up to the last reading, then one SummaryEvent a
  // preset. Only the replay does this.
  [[nodiscard]] std::vector<Event> Finish();
  // From now on these are masked (PipelineConfig::masked).
  void SetMasked(std::vector<std::string> masked);
  // A source is gone (target removed from the config): its series are forgotten.
  void Forget(std::string_view source);
  // So is the node that it alone told of: its disks, interfaces and connections leave their groups
  // with the next window. What is remembered of them stays, should they come back.
  void ForgetNode(std::string_view source, std::string_view node);
  // Nothing is remembered of the node any more.
  void ForgetRecords(std::string_view node);

  [[nodiscard]] PipelineView View() const;
  [[nodiscard]] PipelineState ExportState() const;
  // Before the first Ingest. Parts whose preset, group or metric does not exist are left out;
  // returns how many. What the last closed windows said is said again by View, without counting
  // them twice.
  std::size_t ImportState(const PipelineState& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace limpet
