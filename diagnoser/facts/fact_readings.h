// fact_readings.h: the latest readings of the series that may explain a verdict.
//
// Current: a series that the newest pages of its source do not have any more is a thing of the past
//          (a RAID check that has ended), and so is all of a source that has been silent for
//          kSilent.
// Rises:   of counters (counter_course.h), over the last kRiseSpan to 2 kRiseSpan.
// Bounds:  kMaxPerNode series of each node, kMaxSeries of all; those over them are not read.
// Restart: nothing is saved; the next pages say it again, but for rises.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/counter_course.h"
#include "diagnoser/series/reading_store.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/time.h"

namespace limpet {

class FactReadings final : public ReadingStore {
 public:
  static constexpr std::size_t kMaxSeries = 1'000'000;
  static constexpr std::size_t kMaxPerNode = 8'000;
  static constexpr Duration kRiseSpan = std::chrono::minutes(10);
  // The spread of a page: all series of one have one instant; those of a recording a few seconds.
  static constexpr Duration kSamePage = std::chrono::seconds(10);
  static constexpr Duration kSilent = std::chrono::minutes(5);

  struct Series {
    FactSeries what{};
    std::string device;  // without "/dev/"; of a processor, a memory controller or the node empty
    LabelPairs labels;   // as on the page
    double value = 0;
    UnixTime at;
    double rise = 0;           // of a counter
    Duration span{};           // over which
    bool has_changed = false;  // a gauge was another value while we watched

    // Empty: it has no such label.
    [[nodiscard]] std::string_view Label(std::string_view name) const;
  };

  [[nodiscard]] std::optional<std::uint32_t> Resolve(const SeriesOrigin& origin) override;
  void Add(std::uint32_t series, UnixTime at, double value) override;
  // Takes what is read as something else, too: the speed of an interface, node_exporter's
  // uname_info.
  void AddSpeed(std::string_view node, std::string_view device, UnixTime at, double value);
  void AddKernel(std::string_view node, std::string_view release, UnixTime at);

  [[nodiscard]] bool Empty() const { return nodes_.empty(); }
  // The current series of a node, in the order in which they came first. Good until the next
  // Resolve, Add… or Tidy.
  [[nodiscard]] std::vector<const Series*> Of(std::string_view node, UnixTime now) const;

  void Forget(std::string_view node) override;
  // Forgets what has had no reading since `before`. Other series get other numbers.
  void Tidy(UnixTime before) override;
  [[nodiscard]] bool IsCompared() const override { return false; }

 private:
  struct Kept {
    Series series;
    std::uint32_t page = 0;  // whose: number in pages_
    bool live = true;
    CounterCourse course = {};
    double total = 0;  // that it rose by since we watch
    double base = 0;   // of it, where the rise is counted from
    UnixTime base_at;
    double next_base = 0;
    UnixTime next_base_at;
  };
  struct Node {
    std::vector<std::uint32_t> series;
  };

  std::optional<std::uint32_t> Insert(std::string_view node, std::string_view source_name,
                                      Series series);
  void AddByName(std::string_view node, std::string_view source_name, Series series);
  static void Count(Kept& kept, UnixTime at, double value);

  std::vector<Kept> series_;
  std::unordered_map<std::string, std::uint32_t> index_;  // by node, source, name and labels
  std::map<std::string, Node, std::less<>> nodes_;
  std::vector<UnixTime> pages_;  // the latest reading of each source and node
  std::map<std::string, std::uint32_t, std::less<>> page_of_;
};

}  // namespace limpet
