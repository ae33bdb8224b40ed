// activity_readings.h: what a node's disks and programs are asked for, added up for the live page:
// requests by size, system calls by operation, how busy its processors are (host_loads.h).
//
// Increases:  as of any counter (counter_course.h).
// Bounds:     kMaxPerNode series of each node, kMaxSeries of all; those over them are not read.
// Restart:    nothing is saved.
// Threads:    one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/counter_course.h"
#include "diagnoser/series/host_loads.h"
#include "diagnoser/series/reading_store.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/time.h"

namespace limpet {

// Edges of sizes: 512 bytes, doubled up to 8 MiB; the last bucket holds everything larger.
inline constexpr std::size_t kActivityBuckets = 16;
inline constexpr double kFirstActivityEdge = 512;

// Sums since we watch. Units: requests, calls, seconds.
struct ActivityTotals {
  struct Sum {
    double count = 0;
    double seconds = 0;
  };
  // One direction of all disks of a node.
  struct Disks {
    std::array<double, kActivityBuckets> at_most{};  // by edge, cumulative; the last: all
    Sum small;
    Sum large;
  };
  using Operation = std::pair<std::string, std::string>;  // role of the process, name
  Disks reads;
  Disks writes;
  std::map<Operation, Sum> operations;
  bool has_disks = false;
  UnixTime at;  // of the latest reading
};

class ActivityReadings final : public ReadingStore {
 public:
  static constexpr std::size_t kMaxSeries = 1'000'000;
  static constexpr std::size_t kMaxPerNode = 4'000;

  [[nodiscard]] std::optional<std::uint32_t> Resolve(const SeriesOrigin& series) override;
  void Add(std::uint32_t series, UnixTime at, double value) override;

  // Takes the load average of a host that is read as something else, too.
  void AddLoad(std::string_view node, UnixTime at, double load1);

  [[nodiscard]] const HostLoads& Loads() const { return loads_; }
  // Returns the totals of every node that has told anything of its disks or programs.
  [[nodiscard]] std::map<std::string, ActivityTotals> Totals() const { return nodes_; }

  void Forget(std::string_view node) override;
  // Forgets what has had no reading since `before`. Other series get other numbers.
  void Tidy(UnixTime before) override;
  [[nodiscard]] bool IsCompared() const override { return false; }

 private:
  // Numbers of series from here on are a node's in `loads_`, times two, plus one for its load.
  static constexpr std::uint32_t kFirstLoad = 1U << 31U;

  struct Series {
    ActivityTotals* node = nullptr;  // null: forgotten
    double* sum = nullptr;           // in it
    CounterCourse course = {};
    UnixTime at;
  };

  [[nodiscard]] static double* FindSum(ActivityTotals& node, ActivityField field,
                                       const LabelPairs& labels);

  [[nodiscard]] std::optional<std::uint32_t> ResolveLoad(ActivityField what, std::string_view node);

  HostLoads loads_;
  std::vector<Series> series_;
  std::unordered_map<std::string, std::uint32_t> index_;  // by node, name and labels
  std::map<std::string, ActivityTotals> nodes_;           // places do not move
  std::map<const ActivityTotals*, std::size_t> counts_;   // series of each
};

}  // namespace limpet
