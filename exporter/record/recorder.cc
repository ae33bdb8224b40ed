#include "exporter/record/recorder.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace limpet {
namespace {

constexpr std::size_t kMaxWaiting = 60;  // frames: an hour
constexpr std::size_t kMaxWaitingBytes = std::size_t{4} << 20;
// Files of one second: restarts in a loop must not overwrite each other.
constexpr unsigned kMaxAttempts = 1000;
// A file may take so much of max_bytes before another begins: only whole files are deleted.
constexpr std::uint64_t kFilesWithinLimit = 4;

}  // namespace

Recorder::Recorder(const RecordOptions& options, std::unique_ptr<RecordingFolder> folder,
                   const Clock& clock, LogSink log)
    : options_(options),
      limits_{options.keep_days.value_or(0), options.max_bytes.value_or(0)},
      selection_(options.metrics),
      folder_(std::move(folder)),
      clock_(clock),
      log_(log),
      rare_log_(std::move(log), clock, std::chrono::hours(1)),
      encoder_(MakeFrameEncoder(options.format, options.compression_level,
                                {{"instance", options.instance}, {"role", options.role}})) {}

void Recorder::Prepare() {
  if (const auto ready = folder_->Prepare(); !ready) {
    Fail(ready.error());
  } else {
    DeleteExpired();
  }
}

void Recorder::Add(const Snapshot& snapshot) {
  const auto at = snapshot.At();
  ++counts_.samples;
  const bool is_large =
      limits_.max_bytes != 0 && file_bytes_ >= limits_.max_bytes / kFilesWithinLimit;
  const auto placement = Place(last_, at);
  if (placement == Placement::kSkip) {
    ++counts_.skipped;
    return;
  }
  if (placement == Placement::kNewFile || is_large) {
    Close();  // nothing at the first sample
    Begin(at);
  }
  if (frame_samples_ == 0) {
    frame_start_ = at;
  }
  const auto step = at - *last_;
  last_ = at;
  Append(snapshot);
  // Ended before the next sample but one would be too late, which leaves time to write it: what a
  // crash just before loses is less than flush_interval old.
  if (at - frame_start_ + 2 * step >= options_.flush_interval) {
    EndFrame();
  }
}

void Recorder::Append(const Snapshot& snapshot) {
  ++frame_samples_;
  // HELP and TYPE stand before the first sample of each family, once a file.
  const bool first = start_ == snapshot.At();
  const RecordedTurn turn{.begins_file = first,
                          .facts = facts_due_.IsDue(snapshot.All(), snapshot.At(), first)};
  encoder_->Add(snapshot.At(), selection_.Pick(snapshot.All(), turn), first);
}

void Recorder::Begin(UnixTime at) {
  start_ = at;
  last_ = at;
  file_bytes_ = 0;
  ++counts_.files;
}

void Recorder::Close() {
  if (!last_) {
    return;
  }
  // OpenMetrics wants its end marked; a file without the mark is one whose recorder was killed.
  encoder_->AddEnd();
  EndFrame();
  last_.reset();
}

void Recorder::EndFrame() {
  // A frame decompresses by itself, so what a crash loses is the one that is not written yet. It
  // may build upon those before it, but only where these are surely on the disk.
  const bool continues = waiting_.empty() && file_ && file_start_ == start_ && file_->IsThere();
  auto frame = encoder_->Finish(continues);
  file_bytes_ += frame.size();
  waiting_bytes_ += frame.size();
  waiting_.push_back({start_, *last_, std::exchange(frame_samples_, 0), std::move(frame)});
  while (waiting_.size() > kMaxWaiting ||
         (waiting_bytes_ > kMaxWaitingBytes && waiting_.size() > 1)) {
    counts_.samples_lost += waiting_.front().samples;
    ++counts_.frames_lost;
    DropOldest();  // what happens now matters more
  }
  DeleteExpired();
  WriteWaiting();
}

void Recorder::DropOldest() {
  waiting_bytes_ -= waiting_.front().bytes.size();
  waiting_.pop_front();
}

void Recorder::WriteWaiting() {
  while (!waiting_.empty()) {
    const auto& frame = waiting_.front();
    if (const auto done = WriteFrame(frame); !done) {
      // A full disk may become free again: the frame stays in memory, the recorder goes on.
      Fail(done.error());
      return;
    }
    ++counts_.frames_written;
    counts_.bytes_written += frame.bytes.size();
    counts_.newest_written = frame.newest;
    DropOldest();
  }
  if (std::exchange(counts_.failing, false)) {
    problem_.clear();
    log_(LogLevel::kInfo, fmt::format("recording: {} is written again; {} samples were lost",
                                      file_->Path(), counts_.samples_lost));
  }
}

void Recorder::Fail(const Error& error) {
  counts_.failing = true;
  // Once, not with each frame; the metric says that it lasts.
  if (error.Text() != problem_) {
    problem_ = error.Text();
    log_(LogLevel::kError,
         fmt::format("recording: {}; it is tried again every {:.0f} s, and the latest {} pieces or "
                     "{} MiB wait in memory until then",
                     problem_, ToSeconds(options_.flush_interval), kMaxWaiting,
                     kMaxWaitingBytes >> 20U));
  }
}

Result<void> Recorder::WriteFrame(const Frame& frame) {
  if (file_ && file_start_ == frame.begins_file) {
    auto done = file_->Append(frame.bytes);
    if (done || done.error().code != ErrorCode::kNotFound) {
      return done;
    }
    // Deleted under our hands: what comes now goes into a file that can be seen.
  }
  if (auto opened = OpenFile(frame.begins_file); !opened) {
    return opened;
  }
  return file_->Append(frame.bytes);
}

Result<void> Recorder::OpenFile(UnixTime start) {
  file_.reset();
  for (unsigned again = 0; again < kMaxAttempts; ++again) {
    // Create gives no file for a name that is taken: never append to what another run has written.
    auto name = RecordingName(start, again, options_.format);
    auto file = folder_->Create(name);
    if (!file) {
      return file.error();
    }
    if (*file) {
      file_ = *std::move(file);
      file_name_ = std::move(name);
      file_start_ = start;
      return {};
    }
  }
  return Error{ErrorCode::kInternal, "expected a name that is not taken",
               RecordingName(start, kMaxAttempts, options_.format)};
}

void Recorder::DeleteExpired() {
  const auto now = clock_.Now();
  const bool is_trusted = clock_watch_.IsTrusted(now, clock_.Steady());
  const auto stored = folder_->List();
  if (!stored) {
    return;  // writing says what is wrong with the folder
  }
  counts_.folder_bytes = 0;
  for (const auto& one : *stored) {
    counts_.folder_bytes += ParseRecordingName(one.name) ? one.bytes : 0;
  }
  for (const auto& name : Expired(*stored, limits_, file_ ? file_name_ : std::string(),
                                  is_trusted ? std::optional(now) : std::nullopt)) {
    if (const auto removed = folder_->Remove(name); !removed) {
      rare_log_.Write(LogLevel::kWarning, "delete",
                      "recording: cannot delete an old one: " + removed.error().Text());
      continue;
    }
    ++counts_.files_deleted;
    log_(LogLevel::kInfo, "recording: deleted " + name + ", as record.keep_days and max_bytes say");
  }
}

}  // namespace limpet
