// peer_lines.h: the means of all peers in the windows of a replay, to be drawn over one another
// ([Kasick12 §4.2.1]).
//
// Windows are put together in pairs, fours and so on once a line has kMaxPoints of them. Pauses
// take no room: points count windows. Bounded: kMaxLines lines of kMaxPoints points of 8 bytes.
// Threads: a value with one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

// One metric of one peer group.
struct PeerSeries {
  struct Line {
    std::string component;
    std::vector<float> means;  // by point, in the metric's unit; NaN: not compared
  };
  std::string group;
  std::string metric;
  std::vector<UnixTime> times;  // of each point: the end of its first window
  std::vector<Line> lines;      // by component
};

class PeerLines {
 public:
  static constexpr std::size_t kMaxPoints = 160;
  static constexpr std::size_t kMaxLines = 200'000;

  // Takes the windows of the preset of that name alone.
  explicit PeerLines(std::string preset) : preset_(std::move(preset)) {}

  // Takes windows in order of time; those with too few peers leave a hole.
  void Add(const WindowEvent& window);

  // Returns what was compared, by group and metric.
  [[nodiscard]] std::vector<PeerSeries> Finish() const;
  // Returns the number of means that had no room: there were too many lines.
  [[nodiscard]] std::uint64_t LeftOut() const { return left_out_; }

 private:
  struct Point {
    float sum = 0;
    std::uint32_t windows = 0;
  };
  using Line = std::vector<Point>;
  struct Group {
    std::map<std::string, std::map<std::string, Line>> metrics;  // metric, component
    std::vector<UnixTime> times;                                 // by point
    std::size_t windows = 0;                                     // window times until now
    std::size_t per_point = 1;
    UnixTime last;
  };

  static void Advance(Group& group, UnixTime end);
  static void Halve(Group& group);

  std::string preset_;
  std::map<std::string, Group> groups_;
  std::size_t lines_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace limpet
