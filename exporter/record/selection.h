// selection.h: which of a snapshot's samples go into a recording.
//
// By default what a diagnosis is made from ([Kasick12 §4.1], [Kasick10 §10], [Pan08 Table 1]):
// counters, from which every rate and mean follows, and the few gauges that no counter tells. Every
// line costs room (about 4 bytes a second), so what follows from the rest stays out: rates, CPU
// modes that no algorithm looks at, and sums over peers where each connection is there. Labels of
// disks, the exporter's start and its version do not change in a file: they go into its first
// second. Facts (settings, RAID, file systems, links, errors, busy control groups) go into one
// second a minute (facts_due.h). Threads: Pick is pure.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/exposition/sample.h"

namespace limpet {

// Names without prefix.
[[nodiscard]] std::span<const std::string_view> RecordedByDefault();

// The parts of a second that not every second has.
struct RecordedTurn {
  bool begins_file = false;
  bool facts = false;
};

class Selection {
 public:
  // Whole families. An empty list: the default above, of which some families only in part.
  explicit Selection(const std::vector<std::string>& names);

  // Returns families in the order of the snapshot; label sets are shared with it.
  [[nodiscard]] Families Pick(std::span<const Family> families, const RecordedTurn& turn) const;

 private:
  [[nodiscard]] bool IsInTurn(const MetricInfo& info, const RecordedTurn& turn) const;

  std::set<std::string, std::less<>> names_;
  bool default_;
};

}  // namespace limpet
