// readings.h: the readings of the configuration's own metrics, by metric and component.
//
// Counters go onto the grids of the presets as those of disks do (series/increase.h); buckets of
// histograms are summed up by ticks (bucket_ring.h).
// A target with the label `host` tells of that node: targets of one machine have different names.
// Several series of one component and metric add up. Of two targets that tell of the same component
// the first one counts until it is silent for kTakeOver, unless the metric says `add_up`.
// Bounds:  kMaxComponents, kMaxSeries and kMaxBytes, half of each for one target. What is over them
//          is not read, and counted in Dropped.
// Restart: nothing is saved; windows begin anew.
// Threads: one at a time.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnoser/custom/askers.h"
#include "diagnoser/custom/bucket_ring.h"
#include "diagnoser/custom/joins.h"
#include "diagnoser/custom/metric.h"
#include "diagnoser/custom/series_table.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/counter_course.h"
#include "diagnoser/series/increase.h"
#include "diagnoser/series/reading_store.h"
#include "diagnoser/series/readings.h"

namespace limpet {

// One metric of one component.
struct CustomCell {
  // By target: a client that tells how long it waits for the component.
  struct Clients {
    Askers waited;  // the sum of the mean: seconds, before the metric's factor
    Askers asked;   // its count: requests
  };
  struct Track {
    CustomPart part;
    CounterTrack counter;
  };
  bool live = true;
  std::size_t metric = 0;
  std::string key;        // among all cells
  std::string component;  // "osd.7"; empty: the node itself
  std::string node;       // of the target, or its label `host`
  std::string target;     // its node
  std::string role;       // the same
  LabelPairs labels;      // those that node, device and peers ask for
  std::uint32_t source = 0;
  std::optional<UnixTime> last;
  std::vector<Track> tracks;           // of counters and means
  RecentReadings gauge;                // of gauges
  std::optional<BucketRing> buckets;   // of histograms
  std::optional<Askers> askers;        // of metrics that tell who asks
  std::optional<Clients> clients;      // of means that targets add up
  std::vector<std::uint32_t> sources;  // that it takes room of, with its series
};

class CustomReadings final : public ReadingStore {
 public:
  static constexpr std::size_t kMaxComponents = 20'000;
  static constexpr std::size_t kMaxSeries = 3'000'000;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 30U;
  static constexpr Duration kTakeOver = std::chrono::minutes(1);

  struct Dropped {
    std::uint64_t no_room = 0;   // series
    std::uint64_t unnamed = 0;   // series without the labels that name a component, or a bucket
    std::uint64_t repeated = 0;  // readings of a component that another target tells of
  };

  // `metrics` must outlive the readings. `ticks` of `tick` are kept of histograms.
  CustomReadings(std::span<const CustomMetric> metrics, std::vector<GridSpec> grids, Duration tick,
                 std::size_t ticks);

  [[nodiscard]] const CustomSeriesTable& Table() const { return table_; }
  [[nodiscard]] std::span<const CustomMetric> Metrics() const { return metrics_; }
  [[nodiscard]] std::optional<std::uint32_t> Resolve(const SeriesOrigin& origin) override;
  void Add(std::uint32_t series, UnixTime at, double value) override;

  [[nodiscard]] std::span<const CustomCell> Cells() const { return cells_; }
  // Returns the numbers of the live cells of a metric, in no order.
  [[nodiscard]] std::span<const std::uint32_t> CellsOf(std::size_t metric) const {
    return by_metric_[metric];
  }
  [[nodiscard]] const CustomJoins& Joins() const { return joins_; }
  [[nodiscard]] Duration Tick() const { return tick_; }
  // The last reading of all.
  [[nodiscard]] std::optional<UnixTime> Last() const { return last_; }
  // Returns when the next readings after `t` may have come, to a tick; nullopt: there are none.
  [[nodiscard]] std::optional<UnixTime> NextAfter(UnixTime t) const;
  // The caller will not ask for anything before `t` any more.
  void Prune(UnixTime t);
  // Returns whether no later reading can change a window that ends at `end`.
  [[nodiscard]] bool Settled(UnixTime end, UnixTime watermark, Duration max_gap) const;
  [[nodiscard]] const Dropped& Drops() const { return dropped_; }
  [[nodiscard]] std::size_t Components() const { return components_.size(); }

  // Forgets what targets of the node told.
  void Forget(std::string_view node) override;
  // Forgets what has had no reading since `before`. The numbers of the others stay.
  void Tidy(UnixTime before) override;
  [[nodiscard]] bool IsCompared() const override { return true; }

 private:
  static constexpr std::uint32_t kNoCell = UINT32_MAX;
  struct Feed {
    std::uint32_t cell = 0;   // of an info series: its number there
    std::uint32_t place = 0;  // of its track, its bucket, its asker or its client
    CustomPart part = CustomPart::kValue;
    bool of_client = false;  // counts for the client that tells of it
  };
  struct Series {
    boost::container::small_vector<Feed, 1> feeds;
    CounterCourse course;
    std::optional<UnixTime> last;
    std::uint32_t source = 0;
    bool live = true;
  };
  struct Reading {
    std::optional<UnixTime> before;  // of the same series
    UnixTime at;
    double value = 0;
    std::optional<double> rise;  // of buckets, askers and clients
  };
  struct Source {
    std::optional<UnixTime> last;
    std::size_t series = 0;
    std::size_t bytes = 0;
    std::size_t components = 0;
  };
  struct Key {
    std::uint64_t one = 0;
    std::uint64_t other = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.one; }
  };

  [[nodiscard]] static Key KeyOf(std::string_view name, const LabelPairs& labels,
                                 std::string_view source_name);
  [[nodiscard]] std::uint32_t FindSource(std::string_view name);
  [[nodiscard]] std::optional<Feed> MakeFeed(const CustomUse& use, std::string_view name,
                                             const LabelPairs& labels, const SourceLabels& source,
                                             std::uint32_t number);
  [[nodiscard]] std::optional<std::uint32_t> FindCell(std::size_t metric, const LabelPairs& labels,
                                                      const SourceLabels& source,
                                                      std::uint32_t number);
  // The place in the cell of one of its askers, buckets or tracks; nullopt: there is no room.
  [[nodiscard]] std::optional<std::uint32_t> FindPlace(CustomCell& cell, const CustomUse& use,
                                                       std::string_view asker, double bound,
                                                       std::uint32_t source);
  // The same of the client that tells of a part of a mean.
  [[nodiscard]] std::optional<Feed> MakeClientFeed(const Feed& feed, std::string_view client,
                                                   std::uint32_t source);
  [[nodiscard]] std::optional<std::uint32_t> FindAsker(Askers& askers, std::string_view asker,
                                                       std::uint32_t source);
  void GiveBackAskers(CustomCell& cell, UnixTime before);
  [[nodiscard]] bool TakeRoom(std::uint32_t source, std::size_t bytes);
  void GiveBack(std::uint32_t source, std::size_t bytes);
  [[nodiscard]] bool TakeComponent(std::uint32_t source, const std::string& name);
  [[nodiscard]] bool Owns(CustomCell& cell, std::uint32_t source, UnixTime at);
  void AddTo(const Feed& feed, std::uint32_t source, const Reading& reading);
  void RemoveCell(std::uint32_t cell);

  std::span<const CustomMetric> metrics_;
  CustomSeriesTable table_;
  CustomJoins joins_;
  Spreads spreads_;
  Duration tick_;
  std::size_t ticks_;
  std::vector<Series> series_;
  std::vector<std::uint32_t> free_series_;
  std::unordered_map<Key, std::uint32_t, KeyHash> series_index_;
  std::vector<CustomCell> cells_;
  std::vector<std::uint32_t> free_cells_;
  std::vector<std::vector<std::uint32_t>> by_metric_;  // live cells
  std::unordered_map<std::string, std::uint32_t> cell_index_;
  std::unordered_map<std::string, std::size_t> components_;  // by name: cells
  std::map<std::string, std::uint32_t, std::less<>> source_index_;
  std::vector<Source> sources_;
  std::size_t bytes_ = 0;
  std::optional<UnixTime> last_;
  std::set<std::int64_t> busy_;  // ticks with readings
  std::int64_t latest_busy_ = 0;
  Dropped dropped_;
};

}  // namespace limpet
