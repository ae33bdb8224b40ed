// background_recorder.h: a recorder on a thread of its own, fed by whoever samples.
//
// A disk that is slow or hangs must delay neither the sampling nor a page: samples wait in a queue
// for five minutes, then the oldest go. What waits is only what is recorded, without pages.
// Threads: Push, Metrics and Lost by any thread; make and Stop by one.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "exporter/common/log.h"
#include "exporter/common/time.h"
#include "exporter/record/recorder.h"
#include "exporter/record/snapshot_queue.h"

namespace limpet {

class BackgroundRecorder {
 public:
  // `options`.instance is filled in. `clock` outlives it.
  BackgroundRecorder(const RecordOptions& options, std::unique_ptr<RecordingFolder> folder,
                     const Clock& clock, const LogSink& log);
  ~BackgroundRecorder() { Stop(); }
  BackgroundRecorder(const BackgroundRecorder&) = delete;
  BackgroundRecorder& operator=(const BackgroundRecorder&) = delete;

  // Quick: the writing is done later.
  void Push(const Snapshot& snapshot);
  // Waits until what was pushed is written, or cannot be, and ends the file. A second call does
  // nothing.
  void Stop();

  // The rows of catalog.h.
  [[nodiscard]] Families Metrics() const;
  // Returns what it was given, and in which state it is now.
  [[nodiscard]] Recorder::Counts Total() const;
  // Frames that reached no file.
  [[nodiscard]] std::uint64_t LostFrames() const;
  // Samples that found no place in the queue.
  [[nodiscard]] std::uint64_t Dropped() const { return queue_.Dropped(); }

 private:
  void Run();
  void Publish();

  const Selection selection_;
  Recorder recorder_;  // of the thread, until it has ended
  SnapshotQueue queue_;
  mutable std::mutex mutex_;  // of what follows
  Recorder::Counts total_;
  std::uint64_t waiting_frames_ = 0;
  std::thread thread_;
};

}  // namespace limpet
