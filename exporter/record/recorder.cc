#include "exporter/record/recorder.h"

#include <fmt/format.h>

#include <utility>

#include "exporter/common/exposition/writer.h"
#include "exporter/record/rotation.h"

namespace limpet {
namespace {

constexpr std::size_t kMostWaiting = 60;  // frames: an hour, about half a megabyte
constexpr auto kLogInterval = std::chrono::minutes(1);
constexpr unsigned kMostAgain = 1000;

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
      Close();
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
  frame_ += compressor_.Write("# EOF\n");
  EndFrame();
  last_.reset();
}

void Recorder::EndFrame() {
  frame_ += compressor_.EndFrame();
  frame_open_ = false;
  waiting_.push_back({start_, std::exchange(frame_, {})});
  if (waiting_.size() > kMostWaiting) {
    waiting_.pop_front();
    ++counts_.frames_lost;
  }
  WriteWaiting();
}

void Recorder::WriteWaiting() {
  while (!waiting_.empty() && WriteOne(waiting_.front())) {
    waiting_.pop_front();
    ++counts_.frames_written;
  }
}

bool Recorder::WriteOne(const Frame& frame) {
  auto done =
      !file_ || file_start_ != frame.begins_file ? OpenFile(frame.begins_file) : Result<void>();
  if (done) {
    done = file_->Append(frame.bytes);
  }
  if (!done) {
    log_.Write(LogLevel::kError, "write",
               fmt::format("recording: {}; {} of at most {} pieces wait in memory, trying again",
                           done.error().Text(), waiting_.size(), kMostWaiting));
  }
  return done.has_value();
}

Result<void> Recorder::OpenFile(UnixTime start) {
  file_.reset();
  for (unsigned again = 0; again < kMostAgain; ++again) {
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
               RecordingName(start, kMostAgain)};
}

}  // namespace limpet
