#include "diagnoser/runtime/replay_recorder.h"

#include <utility>

namespace limpet {
namespace {

// A replay is looked at from its begin to its end, however long it is.
constexpr HistorySettings kHistory{.duration = std::chrono::hours(24 * 400),
                                   .max_bytes = std::size_t{128} << 20U};
constexpr std::size_t kFrameBytes = std::size_t{128} << 20U;

}  // namespace

ReplayRecorder::ReplayRecorder(const PipelineConfig& config)
    : recorder_(kHistory, config.presets),
      frames_(kFrameBytes),
      max_gap_(config.presets.front().MaxGap()),
      step_(config.presets.front().step) {}

void ReplayRecorder::Observe(const Pipeline& pipeline, UnixTime at,
                             const std::vector<Event>& events) {
  first_ = first_ ? first_ : std::optional(at);
  if (!events.empty()) {
    const auto view = pipeline.View();
    recorder_.Record(events, pipeline, view, at);
    recorder_.SetView(std::make_shared<const PipelineView>(view));
  }
  if (!framed_at_ || at - *framed_at_ >= step_) {
    framed_at_ = at;
    recorder_.AddFrame(pipeline, at, at - max_gap_, at);
    frames_.Add(recorder_.LastFrame());
  }
}

ReplayRecorder::Recording ReplayRecorder::Finish() {
  auto live = recorder_.View();
  // Viewers know one order of nodes, that of /api/v1/cluster.
  frames_.MapTo(live->cluster);
  const auto begin = first_.value_or(UnixTime());
  return {.live = std::move(live),
          .recorded = {.span = {.from = begin, .to = framed_at_.value_or(begin)},
                       .frames = std::make_shared<const FrameLog>(std::move(frames_))}};
}

}  // namespace limpet
