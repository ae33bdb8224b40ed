#include "diagnoser/publish/past_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "diagnoser/history/past_loads.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/frame_text.h"

namespace limpet {
namespace {

// `since`: of the oldest that is kept.
std::string NothingKept(std::optional<UnixTime> since) {
  return since ? fmt::format("{{\"since\":{}}}\n", ApiSeconds(*since)) : "{\"since\":null}\n";
}

std::string Kept(UnixTime since, UnixTime begin, UnixTime end, const Frame& frame) {
  const FrameFilter all{.columns = *ParseColumns(""), .groups = {}};
  return fmt::format("{{\"since\":{},\"begin\":{},\"end\":{},\"frame\":{}}}\n", ApiSeconds(since),
                     ApiSeconds(begin), ApiSeconds(end),
                     FrameJson(nullptr, frame, all, all.Pick(*frame.cluster)));
}

}  // namespace

std::string PastJson(const LiveView& live, UnixTime at) {
  const auto& steps = *live.past;
  if (steps.empty()) {
    return NothingKept(std::nullopt);
  }
  const auto* const step = FindStep(steps, at);
  const auto since = steps.front()->begin;
  return step == nullptr ? NothingKept(since)
                         : Kept(since, step->begin, step->end, FrameOf(*step, live.cluster));
}

std::string PastJson(const FrameLog& recorded, UnixTime at) {
  const auto& frames = recorded.Frames();
  if (frames.empty()) {
    return NothingKept(std::nullopt);
  }
  const auto after =
      std::ranges::upper_bound(frames, at, {}, [](const auto& frame) { return frame->time; });
  if (after == frames.begin()) {
    return NothingKept(frames.front()->time);
  }
  const auto& frame = **std::prev(after);
  return Kept(frames.front()->time, frame.time, frame.time, frame);
}

}  // namespace limpet
