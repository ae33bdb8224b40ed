#include "exporter/record/recorder.h"

#include <fmt/format.h>

#include <utility>

#include "exporter/common/exposition/writer.h"
#include "exporter/record/rotation.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxWaiting = 60;  // frames: an hour, about half a megabyte
constexpr auto kLogInterval = std::chrono::minutes(1);
// Files of one second: restarts in a loop must not overwrite each other.
constexpr unsigned kMaxAttempts = 1000;

}  // namespace

Recorder::Recorder(const RecordOptions& options, std::unique_ptr<RecordingFolder> folder,
                   const Clock& clock, LogSink log)
    : options_(options),
      selection_(options.metrics),
      folder_(std::move(folder)),
      log_(std::move(log), clock, kLogInterval),
      compressor_(options.compression_level) {}

void Recorder::Add(const Snapshot& snapshot) {
  const auto at = snapshot.At();
  ++counts_.samples;
  switch (Place(last_, at)) {
    case Placement::kSkip:
      ++counts_.skipped;
      return;
    case Placement::kNewFile:
      Close();  // nothing at the first sample
      Begin(at);
      break;
    case Placement::kAppend:
      if (at - frame_start_ >= options_.flush_interval) {
        EndFrame();
      }
      break;
  }
  if (!frame_open_) {
    frame_open_ = true;
    frame_start_ = at;
  }
  // HELP and TYPE stand before the first sample of each family, once a file.
  const bool first = start_ == at;
  last_ = at;
  const auto families = selection_.Pick(snapshot.All(), first);
  frame_ += compressor_.Write(
      Render(families, Format::kOpenMetrics,
             {.constant_labels = {{"instance", options_.instance}, {"role", options_.role}},
              .timestamp = at,
              .describe = first,
              .end_mark = false}));
}

void Recorder::Begin(UnixTime at) {
  start_ = at;
  frame_start_ = at;
  last_ = at;
  ++counts_.files;
}

void Recorder::Close() {
  if (!last_) {
    return;
  }
  // OpenMetrics wants its end marked; a file without the mark is one whose recorder was killed.
  frame_ += compressor_.Write("# EOF\n");
  EndFrame();
  last_.reset();
}

void Recorder::EndFrame() {
  frame_ += compressor_.EndFrame();
  frame_open_ = false;
  // A frame decompresses by itself, so what a crash loses is the one that is not written yet.
  waiting_.push_back({start_, std::exchange(frame_, {})});
  if (waiting_.size() > kMaxWaiting) {
    waiting_.pop_front();  // the oldest: what happens now matters more
    ++counts_.frames_lost;
  }
  WriteWaiting();
}

void Recorder::WriteWaiting() {
  while (!waiting_.empty() && WriteFrame(waiting_.front())) {
    waiting_.pop_front();
    ++counts_.frames_written;
  }
}

bool Recorder::WriteFrame(const Frame& frame) {
  auto done =
      !file_ || file_start_ != frame.begins_file ? OpenFile(frame.begins_file) : Result<void>();
  if (done) {
    done = file_->Append(frame.bytes);
  }
  if (!done) {
    // A full disk may become free again: the frame stays in memory, the recorder goes on.
    log_.Write(LogLevel::kError, "write",
               fmt::format("recording: {}; {} of at most {} pieces wait in memory, trying again",
                           done.error().Text(), waiting_.size(), kMaxWaiting));
  }
  return done.has_value();
}

Result<void> Recorder::OpenFile(UnixTime start) {
  file_.reset();
  for (unsigned again = 0; again < kMaxAttempts; ++again) {
    // Create gives no file for a name that is taken: never append to what another run has written.
    auto file = folder_->Create(RecordingName(start, again));
    if (!file) {
      return file.error();
    }
    if (*file) {
      file_ = *std::move(file);
      file_start_ = start;
      return {};
    }
  }
  return Error{ErrorCode::kInternal, "expected a name that is not taken",
               RecordingName(start, kMaxAttempts)};
}

}  // namespace limpet
