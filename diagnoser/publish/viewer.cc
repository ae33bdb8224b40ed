#include "diagnoser/publish/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/live_api.h"

namespace limpet {
namespace {

constexpr Duration kQuiet = std::chrono::seconds(15);
constexpr Duration kFramePeriod = std::chrono::milliseconds(500);  // of the running diagnosis
constexpr const char* kRetry = "retry: 2000\n\n";

SharedText Share(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// Proxies close what is silent for long.
SharedText Comment() {
  static const auto kComment = Share(": \n\n");
  return kComment;
}

// Frames newer than the one sent, but for the newest and for those that the viewer's own period
// leaves out.
std::uint64_t CountThinned(const LiveView& live, const Frame& sent, Duration period) {
  const auto newer = static_cast<std::uint64_t>(
      std::count_if(live.frames.begin(), live.frames.end(),
                    [&](const auto& frame) { return frame->id > sent.id; }));
  const auto wanted = static_cast<std::uint64_t>(period / kFramePeriod) + 1;
  return newer > wanted ? newer - wanted : 0;
}

}  // namespace

SharedText FrameTexts::Get(const std::shared_ptr<const Frame>& previous,
                           const std::shared_ptr<const Frame>& frame, const FrameFilter& filter) {
  if (filter.places) {
    // One viewer's own, and short: kept here it would drive out what all others want.
    return Share(
        SentEvent("frame", frame->id,
                  FrameJson(previous.get(), *frame, filter, filter.Pick(*frame->cluster))));
  }
  const auto filter_key = filter.Key();
  // In the order in which they go when there is no room: those of old frames first, those of whole
  // frames, which whoever comes needs, last.
  auto key = fmt::format("{:020} {:020} ", frame->id,
                         previous ? previous->id : std::numeric_limits<std::uint64_t>::max()) +
             filter_key;
  if (const auto found = texts_.find(key); found != texts_.end()) {
    return found->second;
  }
  if (texts_.size() == kMaxTexts) {
    texts_.erase(texts_.begin());
  }
  auto pick_key = fmt::format("{} ", frame->cluster->version) + filter_key;
  auto pick = picks_.find(pick_key);
  if (pick == picks_.end()) {
    if (picks_.size() == kMaxPicks) {
      picks_.erase(picks_.begin());
    }
    pick = picks_.emplace(std::move(pick_key), filter.Pick(*frame->cluster)).first;
  }
  auto text =
      Share(SentEvent("frame", frame->id, FrameJson(previous.get(), *frame, filter, pick->second)));
  texts_.emplace(std::move(key), text);
  return text;
}

LiveViewer::LiveViewer(ViewerOptions options, Latest latest)
    : options_(std::move(options)), latest_(std::move(latest)) {}

void LiveViewer::Begin(const LiveView& live) {
  begun_ = true;
  verdict_changes_ = live.verdict_changes;
  if (!options_.last_id) {
    return;
  }
  const auto found = std::find_if(live.frames.begin(), live.frames.end(), [&](const auto& frame) {
    return frame->id == *options_.last_id;
  });
  if (found != live.frames.end()) {
    sent_ = *found;
    verdict_changes_ = sent_->verdict_changes;
  }
}

std::string LiveViewer::VerdictEvents(const LiveView& live) {
  const auto missed = live.verdict_changes - verdict_changes_;
  verdict_changes_ = live.verdict_changes;
  const auto& latest = *live.latest_changes;
  if (missed > latest.size()) {
    // More than are kept: whoever reads the cluster again reads the verdicts again, too.
    return SentEvent("cluster", 0, fmt::format(R"({{"version":{}}})", live.cluster->version));
  }
  std::string text;
  for (auto i = latest.size() - missed; i < latest.size(); ++i) {
    text += SentEvent("verdict", 0, VerdictLine(*latest[i]));
  }
  return text;
}

Viewer::Output LiveViewer::Next(SteadyTime now, FrameTexts& texts) {
  const auto live = latest_();
  std::string text;
  if (!begun_) {
    Begin(*live);
    text = kRetry;
  }
  text += VerdictEvents(*live);
  Output output;
  const bool is_new = !live->frames.empty() && (!sent_ || live->frames.back()->id != sent_->id);
  if (is_new && now >= next_at_) {
    const auto& frame = live->frames.back();
    const bool same = sent_ && sent_->cluster == frame->cluster;
    if (sent_ && !same) {
      text += SentEvent("cluster", 0, fmt::format(R"({{"version":{}}})", frame->cluster->version));
    }
    output.thinned = sent_ ? CountThinned(*live, *sent_, options_.period) : 0;
    output.has_frame = true;
    auto event = texts.Get(same ? sent_ : nullptr, frame, options_.filter);
    output.text = text.empty() ? std::move(event) : Share(text + *event);
    sent_ = frame;
    // A little early, or a frame that comes a moment before its time waits for a whole turn.
    next_at_ = now + options_.period * 9 / 10;
  } else if (!text.empty()) {
    output.text = Share(std::move(text));
  } else if (now - spoke_at_ >= kQuiet) {
    output.text = Comment();
  }
  if (output.text) {
    spoke_at_ = now;
  }
  return output;
}

ReplayViewer::ReplayViewer(ViewerOptions options, std::shared_ptr<const FrameLog> log,
                           std::optional<UnixTime> from, double speed)
    : options_(std::move(options)), log_(std::move(log)), speed_(speed) {
  const auto& frames = log_->Frames();
  if (!frames.empty()) {
    from_ = from.value_or(frames.front()->time);
    const auto resumed = std::find_if(frames.begin(), frames.end(), [&](const auto& frame) {
      return frame->id == options_.last_id;
    });
    if (resumed != frames.end()) {
      from_ = (*resumed)->time;
    }
  }
}

Viewer::Output ReplayViewer::Next(SteadyTime now, FrameTexts& texts) {
  const auto& frames = log_->Frames();
  if (!began_) {
    began_ = now;
  }
  const auto position = from_ + std::chrono::duration_cast<Duration>((now - *began_) * speed_);
  const auto after = std::upper_bound(
      frames.begin(), frames.end(), position,
      [](UnixTime at, const std::shared_ptr<const Frame>& frame) { return at < frame->time; });
  Output output;
  if (frames.empty()) {
    return {.text = Share(SentEvent("end", 0, R"({"time":0})")), .is_last = true};
  }
  const auto& frame = after == frames.begin() ? frames.front() : *std::prev(after);
  if (frame != sent_ && now >= next_at_) {
    const bool same = sent_ && sent_->cluster == frame->cluster;
    auto text = sent_ ? std::string() : std::string(kRetry);
    if (sent_ && !same) {
      text = SentEvent("cluster", 0, fmt::format(R"({{"version":{}}})", frame->cluster->version));
    }
    text += *texts.Get(same ? sent_ : nullptr, frame, options_.filter);
    sent_ = frame;
    next_at_ = now + options_.period * 9 / 10;
    output.has_frame = true;
    if (frame == frames.back() && speed_ > 0) {
      text += SentEvent("end", 0, fmt::format(R"({{"time":{}}})", ApiSeconds(frame->time)));
      output.is_last = true;
    }
    output.text = Share(std::move(text));
    spoke_at_ = now;
  } else if (now - spoke_at_ >= kQuiet) {
    output.text = Comment();
    spoke_at_ = now;
  }
  return output;
}

}  // namespace limpet
