// recording_export.h: recordings as one OpenMetrics text that a store takes.
//
// What promtool's `tsdb create-blocks-from openmetrics` and imports of other stores want: each
// series in order of time, no instant of a node twice, one end mark (which the caller writes), and
// the labels by which dashboards ask: `job`, and `node` as `instance` has it.
// Twice:   after a clock was set back by seconds a recording covers instants that an earlier one
//          has; the earlier one's samples stay, the later ones' are left out.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "exporter/common/exposition/format.h"
#include "exporter/common/time.h"

namespace limpet {

class RecordingExport {
 public:
  // `job` becomes a label of every line that has none; empty: none.
  explicit RecordingExport(std::string job) : job_(std::move(job)) {}

  // Begins another file, which begins no earlier than the one before.
  void BeginFile();
  // Whole lines in, whole lines out; the view is good until the next call.
  [[nodiscard]] std::string_view Convert(std::string_view lines, Format format);

  struct Counts {
    std::uint64_t samples = 0;   // exported
    std::uint64_t repeated = 0;  // left out: of instants that were there before
    std::uint64_t bad = 0;       // lines that are no samples with a time
  };
  [[nodiscard]] const Counts& Total() const { return total_; }

 private:
  void Comment(std::string_view line);
  void Sample(std::string_view line, Format format);
  [[nodiscard]] bool IsRepeated(std::string_view node, UnixTime at);

  struct Node {
    UnixTime earlier = UnixTime::min();  // newest of the files before this one
    UnixTime newest = UnixTime::min();
  };

  std::string job_;
  std::map<std::string, Node, std::less<>> nodes_;  // by `instance`
  std::set<std::string, std::less<>> described_;    // HELP, TYPE and UNIT, with the metric's name
  std::string text_;
  Counts total_;
};

}  // namespace limpet
