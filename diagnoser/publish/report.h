// report.h: a replay as one HTML page that needs nothing else: no script, no font, no request.
//
// What people ask of a past week, in that order: who limped and when, what shows it, what lasts,
// who was compared with whom, and how good the data were. Every text that came with the data is
// escaped. Bounded: kMaxShown incidents with pictures; kMaxTopEntries rows a table. Threads: pure;
// ReportCollector is a value with one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/history/window_history.h"
#include "diagnoser/publish/incidents.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/time.h"

namespace limpet {

// The quality of the data.
struct ReportQuality {
  std::uint64_t samples = 0;
  std::uint64_t mapped = 0;  // of a component of some peer group
  std::uint64_t bad_lines = 0;
  std::uint64_t late = 0;        // not after the series' last reading
  std::uint64_t foreign = 0;     // pages of another machine, and impossible increases
  std::vector<std::string> cut;  // files that end in the middle
  std::map<std::string, std::uint64_t> late_files;  // where late readings came from: file, how many
  // Skew at a store: a node's clock less the store's, the most that was seen.
  std::map<std::string, Duration> clock_skew;
  std::vector<std::string> warnings;  // of the reading, as far as they were kept
};

struct ReportData {
  std::string program;              // and its version
  std::vector<std::string> inputs;  // files, or the store
  std::optional<UnixTime> first;    // earliest and latest reading
  std::optional<UnixTime> last;
  std::vector<Incident> incidents;
  std::size_t left_out = 0;               // incidents beyond the bound
  std::vector<std::string> group_events;  // storms and groups of two kinds, as sentences with times
  WindowHistory::BySeries windows;
  std::map<std::string, std::string> wwns;  // "node/device" → world-wide name, where it is known
  std::map<std::string, std::vector<std::string>> hourly;  // by preset
  PipelineView view;                                       // at the end
  ReportQuality quality;
};

inline constexpr std::size_t kMaxShown = 50;  // incidents with pictures, the worst ones

[[nodiscard]] std::string ReportHtml(const ReportData& data);

}  // namespace limpet
