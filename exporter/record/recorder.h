// recorder.h: samples as daily files of OpenMetrics text or columns (docs/formats/recording.md).
//
// Samples gather in memory and are written as one zstd frame before the first of them is
// flush_interval old; that much a crash may lose. When the disk is full or read-only, that is said
// once, and once again when it is over; meanwhile frames wait in memory (an hour of them or 4 MiB,
// then the oldest go) and are tried again with each new one.
// Folder:  recordings that the limits leave no room for are deleted, looked at with each frame.
// Memory:  2 MiB for the compressor, the frame that is being filled, and what waits.
// Bound:   3.3 MB a day for one disk, one interface, three connections and the host, 12 as text;
//          what is recorded and at which level is chosen so
//          (tests/exporter/record/day_size_test.cc). 36 busy LUNs take 33 and 130 MB
//          (docs/decisions/0187-recordings-in-columns.md).
// Threads: one. Add may block for as long as the disk does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exporter/common/log.h"
#include "exporter/common/time.h"
#include "exporter/record/facts_due.h"
#include "exporter/record/frame_encoder.h"
#include "exporter/record/recording_file.h"
#include "exporter/record/retention.h"
#include "exporter/record/rotation.h"
#include "exporter/record/selection.h"
#include "exporter/sampler/snapshot.h"

namespace limpet {

inline constexpr Duration kLongestFlush = std::chrono::minutes(1);

struct RecordOptions {
  std::string dir;              // of the files; empty: `serve` records nothing
  std::string output_dir;       // for the command `record` alone, before `dir`
  std::string instance;         // label on every line; empty: the host's name
  std::string role = "server";  // label on every line
  RecordingForm format = RecordingForm::kColumns;
  int compression_level = 19;  // of zstd, 1 to 19
  Duration flush_interval = kLongestFlush;
  // Absent: kServeLimits in `serve`, no limit in `record`.
  std::optional<std::uint64_t> keep_days;
  std::optional<std::uint64_t> max_bytes;
  bool fsync = true;                 // false: a power cut may lose what the kernel has not written
  std::vector<std::string> metrics;  // names without prefix; empty: RecordedByDefault()

  bool operator==(const RecordOptions&) const = default;
};

// Less would be a file every few minutes.
inline constexpr std::uint64_t kMinRecordingBytes = 1'000'000;
// A daemon that fills the disk of the server it watches would be worse than a short history.
inline constexpr RetentionLimits kServeLimits{.keep_days = 30, .max_bytes = 5'000'000'000};

class Recorder {
 public:
  Recorder(const RecordOptions& options, std::unique_ptr<RecordingFolder> folder,
           const Clock& clock, LogSink log);

  // Optional: finds out before the first frame is due whether the folder can be written into.
  void Prepare();
  void Add(const Snapshot& snapshot);
  // Ends the file with "# EOF". Without it (a crash) the file is readable all the same.
  void Close();

  struct Counts {
    std::uint64_t samples = 0;               // snapshots taken in
    std::uint64_t skipped = 0;               // left out after a small step back of the clock
    std::uint64_t samples_lost = 0;          // of frames that were given up
    std::uint64_t frames_written = 0;        // on the disk
    std::uint64_t frames_lost = 0;           // given up on a full disk
    std::uint64_t bytes_written = 0;         // compressed
    std::uint64_t files = 0;                 // begun
    std::uint64_t files_deleted = 0;         // by the limits
    std::uint64_t folder_bytes = 0;          // of all recordings, at the latest frame
    std::optional<UnixTime> newest_written;  // sample
    bool failing = false;                    // the latest frame could not be written
  };
  [[nodiscard]] const Counts& Total() const { return counts_; }
  // Frames in memory that could not be written yet.
  [[nodiscard]] std::size_t Waiting() const { return waiting_.size(); }

 private:
  struct Frame {
    UnixTime begins_file;  // of the file it belongs into
    UnixTime newest;       // sample in it
    std::uint64_t samples = 0;
    std::string bytes;
  };

  void Begin(UnixTime at);
  void Append(const Snapshot& snapshot);
  void EndFrame();
  void DropOldest();
  void WriteWaiting();
  [[nodiscard]] Result<void> WriteFrame(const Frame& frame);
  void Fail(const Error& error);
  void DeleteExpired();
  [[nodiscard]] Result<void> OpenFile(UnixTime start);

  RecordOptions options_;
  RetentionLimits limits_;
  Selection selection_;
  FactsDue facts_due_;
  std::unique_ptr<RecordingFolder> folder_;
  const Clock& clock_;
  LogSink log_;
  RateLimitedLog rare_log_;
  std::unique_ptr<FrameEncoder> encoder_;
  Counts counts_;
  std::string problem_;  // that was said; empty: none
  ClockWatch clock_watch_;

  std::optional<UnixTime> last_;  // sample of the file that is being filled
  UnixTime start_{};              // its first sample
  std::uint64_t file_bytes_ = 0;  // of its frames
  UnixTime frame_start_{};
  std::uint64_t frame_samples_ = 0;  // 0: no frame is open

  std::deque<Frame> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::unique_ptr<RecordingFile> file_;  // of file_start_
  std::string file_name_;
  UnixTime file_start_{};
};

}  // namespace limpet
