#include "diagnoser/publish/peer_lines.h"

#include <limits>
#include <utility>

namespace limpet {

void PeerLines::Add(const WindowEvent& window) {
  if (window.preset != preset_) {
    return;
  }
  auto& group = groups_[window.group];
  // Every metric of a group has a window for the same end.
  if (group.windows == 0 || group.last != window.end) {
    Advance(group, window.end);
  }
  if (window.undetermined) {
    return;
  }
  auto& lines = group.metrics[window.metric];
  for (const auto& component : window.components) {
    if (!component.mean) {
      continue;
    }
    auto found = lines.find(component.component);
    if (found == lines.end()) {
      if (lines_ == kMaxLines) {
        ++left_out_;
        continue;
      }
      ++lines_;
      found = lines.emplace(component.component, Line()).first;
    }
    auto& line = found->second;
    line.resize(group.times.size());
    line.back().sum += static_cast<float>(*component.mean);
    ++line.back().windows;
  }
}

void PeerLines::Advance(Group& group, UnixTime end) {
  group.last = end;
  if (group.windows == kMaxPoints * group.per_point) {
    Halve(group);
  }
  if (group.windows % group.per_point == 0) {
    group.times.push_back(end);
  }
  ++group.windows;
}

void PeerLines::Halve(Group& group) {
  group.per_point *= 2;
  std::vector<UnixTime> times;
  times.reserve(kMaxPoints);
  for (std::size_t i = 0; i < group.times.size(); i += 2) {
    times.push_back(group.times[i]);
  }
  group.times = std::move(times);
  for (auto& [metric, lines] : group.metrics) {
    for (auto& [component, line] : lines) {
      Line halved((line.size() + 1) / 2);
      for (std::size_t i = 0; i < line.size(); ++i) {
        halved[i / 2].sum += line[i].sum;
        halved[i / 2].windows += line[i].windows;
      }
      line = std::move(halved);
    }
  }
}

std::vector<PeerSeries> PeerLines::Finish() const {
  std::vector<PeerSeries> all;
  for (const auto& [name, group] : groups_) {
    for (const auto& [metric, lines] : group.metrics) {
      PeerSeries series{.group = name, .metric = metric, .times = group.times, .lines = {}};
      series.lines.reserve(lines.size());
      for (const auto& [component, line] : lines) {
        std::vector<float> means(group.times.size(), std::numeric_limits<float>::quiet_NaN());
        for (std::size_t i = 0; i < line.size(); ++i) {
          if (line[i].windows > 0) {
            means[i] = line[i].sum / static_cast<float>(line[i].windows);
          }
        }
        series.lines.push_back({component, std::move(means)});
      }
      all.push_back(std::move(series));
    }
  }
  return all;
}

}  // namespace limpet
