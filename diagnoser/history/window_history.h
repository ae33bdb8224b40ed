// window_history.h: the means of every component in every window of the last hours, and where its
// peers were.
//
// A component costs 5 bytes a metric and window, and 20 more where it was odd. What is older than
// `duration`, or over `max_bytes`, is forgotten, the oldest first.
// Threads: one at a time; what Points returns may be handed to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/detect/direction.h"
#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

struct SeriesKey {
  std::string preset;
  std::string group;
  std::string metric;                                  // its name
  auto operator<=>(const SeriesKey&) const = default;  // NOLINT: sees a 0
};

// One window of one metric of one group. Values in the metric's unit; NaN where nothing is known.
struct WindowPoint {
  struct Odd {
    std::uint32_t place = 0;  // of the component
    float degree = 0;         // of this window, as held against the threshold
    float threshold = 0;
    float effect = 0;  // NaN: none
    Direction direction = Direction::kNone;
    bool anomalous = false;
  };
  UnixTime end;
  std::shared_ptr<const std::vector<std::string>> names;  // components, sorted
  std::vector<float> means;                               // by component
  std::vector<std::uint8_t> degrees;  // the same, filtered; as in the column `degree` of frames
  std::vector<Odd> odd;               // components over half their threshold, by place
  float median = 0;                   // of all means
  float low = 0;                      // 10th percentile
  float high = 0;                     // 90th percentile

  [[nodiscard]] std::size_t Bytes() const;
};

// The range of the others in that window: never the component of `place` itself, which in a small
// group would stretch the band up to where it is.
struct PeerRange {
  float median = 0;
  float low = 0;   // 10th percentile
  float high = 0;  // 90th percentile
};
// Returns of more than 64 components the stored range, beyond which the worst tenth lies in any
// case.
[[nodiscard]] PeerRange PeersOf(const WindowPoint& point, std::optional<std::size_t> place);

class WindowHistory {
 public:
  using Points = std::vector<std::shared_ptr<const WindowPoint>>;  // oldest first
  using BySeries = std::map<SeriesKey, Points>;

  WindowHistory(Duration duration, std::size_t max_bytes)
      : duration_(duration), max_bytes_(max_bytes) {}

  void SetBounds(Duration duration, std::size_t max_bytes);
  void Add(const WindowEvent& event);
  // Forgets what is over the bounds. To be called after the events of one instant.
  void Trim();

  [[nodiscard]] BySeries Snapshot() const;
  [[nodiscard]] std::size_t Bytes() const { return bytes_; }

 private:
  struct Track {
    std::deque<std::shared_ptr<const WindowPoint>> points;
  };
  using Tracks = std::map<SeriesKey, Track>;

  [[nodiscard]] std::shared_ptr<const std::vector<std::string>> ShareNames(
      const WindowEvent& event);
  void DropOldest();

  Duration duration_;
  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  UnixTime newest_;
  Tracks tracks_;
  std::deque<Tracks::iterator> order_;  // of the points, as they came
  // Series by preset and group: a group's metrics mostly have the same components, window for
  // window.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const std::vector<std::string>>>
      names_;
};

}  // namespace limpet
