// syscall_readings.h: the series of limpet-exporter's collector of system calls, and what they say
// of each node second by second.
//
// Service times come from counters on a grid of 1 s, as everywhere. Errors and failed connections
// are events between two readings: their counters rise rarely, and a series often begins with the
// first error. So a new series of a node that has been read before counts from 0.
// Bounds: kMaxSeries of all nodes, kMaxPerNode of each; what is over them is not read.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/counter_course.h"
#include "diagnoser/series/increase.h"
#include "diagnoser/series/reading_store.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/time.h"

namespace limpet {

class SyscallReadings final : public ReadingStore {
 public:
  static constexpr std::size_t kMaxSeries = 200'000;
  static constexpr std::size_t kMaxPerNode = 8'000;

  // The subject of a series; labels that it does not have are empty.
  struct Subject {
    std::string node;
    std::string role;  // of the node
    bool client = false;
    SyscallField field{};
    std::string process;
    std::string path;  // label `class`
    std::string operation;
    std::string error;
    std::string peer;  // address and port
  };
  // A counter of errors or failures has risen.
  struct Rise {
    const Subject* subject;
    UnixTime from;  // in (from, to]
    UnixTime to;
    std::uint64_t count = 0;
  };

  // `ahead`: how far readings may come before the second that is being asked for.
  explicit SyscallReadings(Duration ahead);

  // Of a target whose URL has an address: that is the node's.
  [[nodiscard]] std::optional<std::uint32_t> Resolve(const SeriesOrigin& series) override;
  // Address → node, of those that were learned.
  [[nodiscard]] const std::map<std::string, std::string>& Addresses() const { return addresses_; }
  void Add(std::uint32_t series, UnixTime at, double value) override;

  [[nodiscard]] bool Empty() const { return nodes_.empty(); }
  // The first reading of all.
  [[nodiscard]] std::optional<UnixTime> First() const { return first_; }
  // The first node's reading after `t`; nullopt: none.
  [[nodiscard]] std::optional<UnixTime> Last() const;
  // Returns whether no reading that is yet to come can change what is known of `t`.
  [[nodiscard]] bool Settled(UnixTime t, UnixTime watermark) const;

  // The rises up to `t` that have not been taken yet; good until the next Resolve or Tidy.
  [[nodiscard]] std::vector<Rise> TakeRises(UnixTime t);
  // Calls f(subject, increase in the second that ends at `t`), also of gauges: with their latest
  // value that is not older than kMaxGaugeAge. In an order that stays.
  template <class Function>
  void ForEach(UnixTime t, const Function& f) const {
    for (const auto& series : series_) {
      if (series.live) {
        if (const auto value = ValueAt(series, t)) {
          f(series.subject, *value);
        }
      }
    }
  }
  // Drops what is before `t`, which will not be asked for any more.
  void Prune(UnixTime t);

  void Forget(std::string_view node) override;
  // Forgets what has had no reading since `before`. Other series get other numbers.
  void Tidy(UnixTime before) override;
  [[nodiscard]] bool IsCompared() const override { return true; }

 private:
  [[nodiscard]] std::optional<std::uint32_t> FindOrAdd(Field field, const LabelPairs& labels,
                                                       const SourceLabels& source);
  // `target` may be an address's URL; other texts are left.
  void LearnAddress(std::string_view target, std::string_view node);

  struct Series {
    Subject subject;
    bool live = true;
    std::optional<UnixTime> last;
    CounterCourse course = {};            // of errors and failures
    std::unique_ptr<CounterTrack> track;  // of service times
    RecentReadings gauge;
  };
  struct Node {
    std::size_t series = 0;
    std::optional<UnixTime> at;      // of its latest readings
    std::optional<UnixTime> before;  // of those before them
  };

  [[nodiscard]] std::optional<double> ValueAt(const Series& series, UnixTime t) const;
  void AddRise(Series& series, std::uint32_t number, const Node& node, UnixTime at, double value);

  Spreads spreads_;  // one grid
  std::vector<Series> series_;
  std::unordered_map<std::string, std::uint32_t> index_;  // by node, name and labels
  std::map<std::string, Node, std::less<>> nodes_;
  std::size_t live_ = 0;
  struct NumberedRise {
    std::uint32_t series = 0;
    UnixTime from;
    UnixTime to;
    std::uint64_t count = 0;
  };
  std::vector<NumberedRise> rises_;
  std::optional<UnixTime> first_;
  std::map<std::string, std::string> addresses_;  // no more than nodes
};

}  // namespace limpet
