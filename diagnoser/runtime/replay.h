// replay.h: recordings through the pipeline, as fast as they can be read.
//
// Threads: one at a time. With workers, files are read ahead and peer groups judged on all of them;
// what comes out is the same to the byte, and everything is handed out on the caller's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/runtime/workers.h"
#include "diagnoser/sources/recording_slice.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"

namespace limpet {

struct ReplayReport {
  std::uint64_t samples = 0;
  std::uint64_t bytes = 0;        // of text
  std::uint64_t file_bytes = 0;   // of the files, read so far
  std::uint64_t total_bytes = 0;  // of the files; 0: not known
  std::uint64_t mapped = 0;       // samples of a component of some peer group
  std::uint64_t bad_lines = 0;
  std::uint64_t late = 0;
  std::uint64_t foreign = 0;      // pages of another machine, and increases that none makes
  std::vector<std::string> cut;   // files read to their last whole line only
  std::optional<UnixTime> first;  // earliest and latest reading
  std::optional<UnixTime> last;
  PipelineView view;                                // after the last window
  std::map<std::string, std::string> wwns;          // Pipeline::ListWwns at the end
  std::map<std::string, std::uint64_t> late_files;  // file → late readings in it
  // Skew at a store: limpet-exporter's clock less the store's, of each node the most that was seen.
  std::map<std::string, Duration> clock_skew;
};

// Adds what one page of `bytes` has brought.
void AddPage(const IngestStats& stats, std::size_t bytes, ReplayReport& report);

// Called now and then with how far the replay is, for a progress bar.
using ReplayProgress = std::function<void(UnixTime at, const ReplayReport& so_far)>;

// Called after windows have been closed up to `at`, with what came of it.
using ReplayObserver =
    std::function<void(const Pipeline& pipeline, UnixTime at, const std::vector<Event>& events)>;

struct ReplayInput {
  std::vector<std::string> paths;  // files, and folders of recordings
  TimeRange range = {};            // of the readings that count
  Workers* workers = nullptr;      // null: all on the caller's thread
};

struct ReplayHooks {
  // Events in order of time, as many as came at once; one summary a preset comes last.
  std::function<void(const std::vector<Event>&)> events;
  ReplayProgress progress = nullptr;
  ReplayObserver observer = nullptr;
};

// Reads the input, merged by time. `config.one_order` is set. A file that cannot be opened is an
// error before anything is read; one that cannot be read on is logged and the others go on.
[[nodiscard]] Result<ReplayReport> Replay(PipelineConfig config, const ReplayInput& input,
                                          const ReplayHooks& hooks, const LogSink& log);
// The same with each event by itself.
[[nodiscard]] Result<ReplayReport> Replay(PipelineConfig config,
                                          const std::vector<std::string>& inputs,
                                          const std::function<void(const Event&)>& sink,
                                          const LogSink& log,
                                          const ReplayProgress& progress = nullptr,
                                          const ReplayObserver& observer = nullptr);

}  // namespace limpet
