#include "diagnoser/history/frame_log.h"

#include <algorithm>
#include <utility>

namespace limpet {
namespace {

std::size_t FrameBytes(const Frame& frame) {
  return sizeof(Frame) + frame.values.size() * sizeof(std::int16_t);
}

}  // namespace

void FrameLog::Add(std::shared_ptr<const Frame> frame) {
  if (seen_++ % every_ != 0) {
    return;
  }
  bytes_ += FrameBytes(*frame);
  frames_.push_back(std::move(frame));
  if (bytes_ > max_bytes_ && frames_.size() > 2) {
    Thin();
  }
}

void FrameLog::MapTo(const std::shared_ptr<const Cluster>& cluster) {
  for (auto& frame : frames_) {
    if (frame->cluster == cluster) {
      continue;
    }
    auto mapped = std::make_shared<Frame>(*frame);
    mapped->cluster = cluster;
    mapped->values.assign(cluster->nodes.size() * kColumns, kUnknown);
    for (std::size_t i = 0; i < frame->cluster->nodes.size(); ++i) {
      if (const auto place = cluster->Find(frame->cluster->nodes[i].node)) {
        const auto row = frame->Row(i);
        std::copy(row.begin(), row.end(),
                  mapped->values.begin() + static_cast<std::ptrdiff_t>(*place * kColumns));
      }
    }
    frame = std::move(mapped);
  }
}

void FrameLog::Thin() {
  std::vector<std::shared_ptr<const Frame>> kept;
  bytes_ = 0;
  for (std::size_t i = 0; i < frames_.size(); i += 2) {
    bytes_ += FrameBytes(*frames_[i]);
    kept.push_back(std::move(frames_[i]));
  }
  frames_ = std::move(kept);
  every_ *= 2;
}

}  // namespace limpet
