// reading_spacing.h: how far apart the readings of a store are, whatever step it is read with.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/sources/store.h"
#include "exporter/common/time.h"

namespace limpet {

class ReadingSpacing {
 public:
  static constexpr std::size_t kMaxNodes = 64;  // as many tell what the others do

  // Takes the newest reading of a node; one that is no later than its last changes nothing.
  void Add(const std::string& node, UnixTime reading);
  // Takes all readings of a page: lines that end with a time in milliseconds.
  void AddPage(const std::string& node, std::string_view text);
  // The median over nodes of the least of their last gaps: a batch may bring several readings, and
  // one may be lost. nullopt: no node has had two readings.
  [[nodiscard]] std::optional<Duration> Typical() const;

 private:
  struct Node {
    UnixTime last;
    std::deque<Duration> gaps;
  };
  std::map<std::string, Node> nodes_;
};

// Returns what to do about a step that is much shorter than that; nullopt: it will do.
[[nodiscard]] std::optional<std::string> FindStepSlip(const StoreSettings& settings,
                                                      std::optional<Duration> spacing);

// Returns that the store has nothing to compare: what was asked for, and what is expected.
[[nodiscard]] std::string DescribeEmptyStore(const StoreSettings& settings, Duration span);

}  // namespace limpet
