// replay_recorder.h: a replay as the live page shows it: what a Recorder keeps, and every frame.
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "diagnoser/history/frame_log.h"
#include "diagnoser/history/recorder.h"
#include "diagnoser/runtime/live_pages.h"
#include "diagnoser/runtime/replay.h"

namespace limpet {

class ReplayRecorder {
 public:
  explicit ReplayRecorder(const PipelineConfig& config);

  // A ReplayObserver.
  void Observe(const Pipeline& pipeline, UnixTime at, const std::vector<Event>& events);

  // The data to look at, once the replay is over.
  struct Recording {
    std::shared_ptr<const LiveView> live;
    Recorded recorded;
  };
  [[nodiscard]] Recording Finish();

 private:
  Recorder recorder_;
  FrameLog frames_;
  Duration max_gap_;
  Duration step_;
  std::optional<UnixTime> first_;
  std::optional<UnixTime> framed_at_;
};

}  // namespace limpet
