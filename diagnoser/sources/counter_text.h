// counter_text.h: what other programs say as rates, as the counters of a recording.
//
// The diagnosis makes every sample from the increase of counters over steps of its own grid
// (series/increase.h). A rate over an interval is such an increase, so rates are summed up to
// counters here, and all that comes after reads them as it reads any recording
// (docs/decisions/0245).
//
// Unit:    bytes, requests, packets a second; milliseconds; percent; requests in flight.
// Counters of a node begin at 0 with its first block, which says so as a boot of the machine does:
// between two files of a node lies a gap.
// Reads:   who does not tell reads from writes has all requests, and their time, counted as reads.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "diagnoser/metrics/kinds.h"
#include "exporter/common/time.h"

namespace limpet {

enum class Rate : std::uint8_t {
  kRequests,
  kReadBytes,
  kWrittenBytes,
  kAwait,        // ms a request; counts only beside kRequests
  kUtilization,  // percent of the time
  kQueueLength,
  kReceivedBytes,  // from here on of an interface
  kReceivedPackets,
  kSentBytes,
  kSentPackets,
};
inline constexpr std::size_t kRates = 10;
[[nodiscard]] constexpr EntityKind Whose(Rate rate) {
  return rate < Rate::kReceivedBytes ? EntityKind::kDisk : EntityKind::kInterface;
}

// The work of one device over an interval, as far as it is known.
class Rates {
 public:
  Rates() { values_.fill(std::numeric_limits<double>::quiet_NaN()); }
  // Sets a rate; a value that is negative or not finite stays unknown.
  void Set(Rate rate, double value);
  [[nodiscard]] bool Has(Rate rate) const;
  [[nodiscard]] bool Any() const;
  [[nodiscard]] double Get(Rate rate) const { return values_[static_cast<std::size_t>(rate)]; }

 private:
  std::array<double, kRates> values_{};
};

// The owner of a reading; `role` and `device` may be empty.
struct Owner {
  std::string_view node;
  std::string_view role = {};
  std::string_view device = {};
  auto operator<=>(const Owner&) const = default;
};

class CounterText {
 public:
  // The most nodes and devices; those beyond them are left out.
  static constexpr std::size_t kMaxEntities = 200'000;

  // The device did this over `over` up to `at`; 0: its counters as they stand. False: left out,
  // there are too many devices.
  bool Add(const Owner& owner, const Rates& rates, UnixTime at, Duration over);
  // A counter of the node itself rose by `increase`; `mode` is a label, or empty.
  void AddToNode(const Owner& owner, std::string_view series, std::string_view mode,
                 double increase, UnixTime at);
  // A reading as it is, of a gauge or a counter; without the prefix of the series' name.
  void AddReading(const Owner& owner, std::string_view series, double value, UnixTime at);
  // Declares what the node did up to now unknown: its counters go on behind a gap.
  void BreakOff(const Owner& owner, UnixTime at);

  // The lines since the last call.
  [[nodiscard]] std::string Take() { return std::exchange(text_, {}); }

 private:
  using DiskTotals = std::array<double, kDiskCounters>;
  using NetTotals = std::array<double, kNetCounters>;
  struct Totals {
    DiskTotals disk{};
    NetTotals interface {};
  };

  void BeginNode(const Owner& owner, UnixTime at);
  void AddDisk(std::string_view labels, const Rates& rates, UnixTime at, double seconds,
               DiskTotals& totals);
  void AddInterface(std::string_view labels, const Rates& rates, UnixTime at, double seconds,
                    NetTotals& totals);
  void Line(std::string_view series, std::string_view labels, double value, UnixTime at);

  std::set<std::string, std::less<>> nodes_;
  std::map<std::string, Totals, std::less<>> devices_;  // by labels
  std::map<std::string, double, std::less<>> hosts_;    // by series and labels
  std::string text_;
};

}  // namespace limpet
