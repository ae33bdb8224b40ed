// recorder.h: samples as daily files of OpenMetrics text (docs/formats/recording.md).
//
// Samples gather in memory and are written as one zstd frame at least every flush_interval; that
// much a crash may lose. A disk that is full is said so once a minute, frames wait in memory (an
// hour of them, then the oldest go) and are tried again with each new one.
// Bound:   12 MB a day for one disk, one interface, three connections and the host; what is
//          recorded and at which level is chosen so (tests/exporter/record/day_size_test.cc).
// Threads: one. Add may block for as long as the disk does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exporter/common/exposition/codec.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"
#include "exporter/record/recording_file.h"
#include "exporter/record/selection.h"
#include "exporter/sampler/snapshot.h"

namespace limpet {

inline constexpr Duration kLongestFlush = std::chrono::minutes(1);

struct RecordOptions {
  std::string output_dir;
  std::string instance;         // label on every line; empty: the host's name
  std::string role = "server";  // label on every line
  int compression_level = 19;   // of zstd, 1 to 19
  Duration flush_interval = kLongestFlush;
  std::vector<std::string> metrics;  // names without prefix; empty: RecordedByDefault()
};

class Recorder {
 public:
  Recorder(const RecordOptions& options, std::unique_ptr<RecordingFolder> folder,
           const Clock& clock, LogSink log);

  void Add(const Snapshot& snapshot);
  // Ends the file with "# EOF". Without it (a crash) the file is readable all the same.
  void Close();

  struct Counts {
    std::uint64_t samples = 0;         // snapshots taken in
    std::uint64_t skipped = 0;         // left out after a small step back of the clock
    std::uint64_t frames_written = 0;  // on the disk
    std::uint64_t frames_lost = 0;     // given up on a full disk
    std::uint64_t files = 0;           // begun
  };
  [[nodiscard]] const Counts& Total() const { return counts_; }
  // Frames in memory that could not be written yet.
  [[nodiscard]] std::size_t Waiting() const { return waiting_.size(); }

 private:
  struct Frame {
    UnixTime begins_file;  // of the file it belongs into
    std::string bytes;
  };

  void Begin(UnixTime at);
  void EndFrame();
  void WriteWaiting();
  [[nodiscard]] bool WriteFrame(const Frame& frame);
  [[nodiscard]] Result<void> OpenFile(UnixTime start);

  RecordOptions options_;
  Selection selection_;
  std::unique_ptr<RecordingFolder> folder_;
  RateLimitedLog log_;
  ZstdWriter compressor_;
  Counts counts_;

  std::optional<UnixTime> last_;  // sample of the file that is being filled
  UnixTime start_{};              // its first sample
  UnixTime frame_start_{};
  std::string frame_;  // compressed bytes of the frame so far
  bool frame_open_ = false;

  std::deque<Frame> waiting_;
  std::unique_ptr<RecordingFile> file_;  // of file_start_
  UnixTime file_start_{};
};

}  // namespace limpet
