// viewer.h: what one viewer of the stream is to be sent next.
//
// Nothing queues up: a viewer remembers the last frame that it was sent, and whenever it has room
// again it gets what differs between that and the newest. A viewer costs that frame, which mostly
// others hold, too.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/history/frame_log.h"
#include "diagnoser/history/recorder.h"
#include "diagnoser/publish/frame_text.h"
#include "exporter/common/time.h"

namespace limpet {

using SharedText = std::shared_ptr<const std::string>;

// Events `frame` by what they were made of: viewers who keep up all want the same ones.
class FrameTexts {
 public:
  // `previous` may be null.
  [[nodiscard]] SharedText Get(const std::shared_ptr<const Frame>& previous,
                               const std::shared_ptr<const Frame>& frame,
                               const FrameFilter& filter);

 private:
  static constexpr std::size_t kMaxTexts = 16;
  static constexpr std::size_t kMaxPicks = 16;

  std::map<std::string, SharedText> texts_;
  std::map<std::string, std::vector<bool>> picks_;
};

struct ViewerOptions {
  FrameFilter filter;
  Duration period = std::chrono::milliseconds(500);  // between two frames, at least
  std::optional<std::uint64_t> last_id;              // of a viewer that resumes
};

// One for each of the two feeds.
class Viewer {
 public:
  Viewer() = default;
  virtual ~Viewer() = default;
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  struct Output {
    SharedText text;  // null: nothing now
    bool is_last = false;
    std::uint64_t thinned = 0;  // frames that it was too slow for
    bool has_frame = false;
  };
  [[nodiscard]] virtual Output Next(SteadyTime now, FrameTexts& texts) = 0;
};

// A viewer of the running diagnosis.
class LiveViewer final : public Viewer {
 public:
  using Latest = std::function<std::shared_ptr<const LiveView>()>;

  LiveViewer(ViewerOptions options, Latest latest);
  [[nodiscard]] Output Next(SteadyTime now, FrameTexts& texts) override;

 private:
  void Begin(const LiveView& live);
  [[nodiscard]] std::string VerdictEvents(const LiveView& live);

  ViewerOptions options_;
  Latest latest_;
  bool begun_ = false;
  std::shared_ptr<const Frame> sent_;  // the last; null: none yet
  std::uint64_t verdict_changes_ = 0;  // told so far
  SteadyTime next_at_;
  SteadyTime spoke_at_;
};

// A viewer of a finished replay: plays its frames from `from` on, `speed` seconds of them a second.
class ReplayViewer final : public Viewer {
 public:
  // `speed` 0: one frame.
  ReplayViewer(ViewerOptions options, std::shared_ptr<const FrameLog> log,
               std::optional<UnixTime> from, double speed);
  [[nodiscard]] Output Next(SteadyTime now, FrameTexts& texts) override;

 private:
  ViewerOptions options_;
  std::shared_ptr<const FrameLog> log_;
  UnixTime from_;
  double speed_;
  std::optional<SteadyTime> began_;
  std::shared_ptr<const Frame> sent_;
  SteadyTime next_at_;
  SteadyTime spoke_at_;
};

}  // namespace limpet
