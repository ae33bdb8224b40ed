// frame_log.h: the frames of a finished replay, to be played again.
//
// Bounded by bytes: when it is full, every second frame goes and from then on only every second is
// kept, so a long recording is played in longer steps.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "diagnoser/history/frame.h"

namespace limpet {

class FrameLog {
 public:
  explicit FrameLog(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Takes frames in order of time.
  void Add(std::shared_ptr<const Frame> frame);
  // Makes all frames those of this cluster: nodes that it does not have are gone from them.
  void MapTo(const std::shared_ptr<const Cluster>& cluster);
  [[nodiscard]] const std::vector<std::shared_ptr<const Frame>>& Frames() const { return frames_; }

 private:
  void Thin();

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::size_t every_ = 1;
  std::size_t seen_ = 0;
  std::vector<std::shared_ptr<const Frame>> frames_;
};

}  // namespace limpet
