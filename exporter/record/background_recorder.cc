#include "exporter/record/background_recorder.h"

#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>
#include <memory>

#include "exporter/record/catalog.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxQueued = 300;  // five minutes of a disk that does not answer

// Compressing may take a moment, which the samples of the next second must not wait for.
void RunInBackground() {
  constexpr int kLow = 10;
  ::pthread_setname_np(::pthread_self(), "recorder");
  ::setpriority(PRIO_PROCESS, 0, kLow);
}

}  // namespace

BackgroundRecorder::BackgroundRecorder(const RecordOptions& options,
                                       std::unique_ptr<RecordingFolder> folder, const Clock& clock,
                                       const LogSink& log)
    : selection_(options.metrics),
      recorder_(options, std::move(folder), clock, log),
      queue_(kMaxQueued),
      thread_([this] { Run(); }) {}

void BackgroundRecorder::Run() {
  RunInBackground();
  // Here, not in the constructor: a disk that does not answer must not hold up the start.
  recorder_.Prepare();
  Publish();
  while (const auto snapshot = queue_.Pop()) {
    recorder_.Add(*snapshot);
    Publish();
  }
  recorder_.Close();
  Publish();
}

void BackgroundRecorder::Publish() {
  const std::lock_guard lock(mutex_);
  total_ = recorder_.Total();
  waiting_frames_ = recorder_.Waiting();
}

void BackgroundRecorder::Push(const Snapshot& snapshot) {
  // A copy of what is recorded: the snapshot keeps its pages, which are ten times as large.
  queue_.Push(std::make_shared<const Snapshot>(
      snapshot.At(), selection_.Pick(snapshot.All(), {.begins_file = true, .facts = true}),
      RenderOptions()));
}

void BackgroundRecorder::Stop() {
  if (thread_.joinable()) {
    queue_.Close();
    thread_.join();
  }
}

Recorder::Counts BackgroundRecorder::Total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

std::uint64_t BackgroundRecorder::LostFrames() const {
  const std::lock_guard lock(mutex_);
  return total_.frames_lost + waiting_frames_;
}

Families BackgroundRecorder::Metrics() const {
  const auto total = Total();
  const auto dropped = Dropped();
  Families families;
  const auto add = [&](const MetricInfo& info, auto value) {
    families.push_back({&info, {{nullptr, static_cast<double>(value)}}});
  };
  add(catalog::kRecorderUp, total.failing ? 0 : 1);
  add(catalog::kRecorderSamples, total.samples + dropped);
  add(catalog::kRecorderSamplesLost, total.samples_lost + dropped);
  add(catalog::kRecorderWrittenBytes, total.bytes_written);
  if (total.newest_written) {
    add(catalog::kRecorderLastWrite, ToSeconds(total.newest_written->time_since_epoch()));
  }
  add(catalog::kRecorderFolderBytes, total.folder_bytes);
  add(catalog::kRecorderFilesDeleted, total.files_deleted);
  return families;
}

}  // namespace limpet
