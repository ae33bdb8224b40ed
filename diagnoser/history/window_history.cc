#include "diagnoser/history/window_history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnoser/history/frame.h"

namespace limpet {
namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

float ToFloat(const std::optional<double>& value) {
  // A degree may be kMaxDegree, which is no float.
  constexpr auto kMax = static_cast<double>(std::numeric_limits<float>::max());
  return value ? static_cast<float>(std::clamp(*value, -kMax, kMax)) : kNothing;
}

// Nearest rank; reorders.
float Quantile(std::vector<float>& values, double q) {
  if (values.empty()) {
    return kNothing;
  }
  const auto rank =
      std::min(values.size() - 1, static_cast<std::size_t>(q * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

bool IsOdd(const ComponentWindow& component) {
  return component.window_anomalous || component.flagged || component.degree > 0.5;
}

WindowPoint::Odd DescribeOdd(const ComponentWindow& component, std::size_t place) {
  return {.place = static_cast<std::uint32_t>(place),
          .degree = ToFloat(component.window_degree ? component.window_degree : component.s),
          .threshold = static_cast<float>(component.threshold),
          .effect = ToFloat(component.effect),
          .direction = component.direction,
          .anomalous = component.window_anomalous};
}

}  // namespace

std::size_t WindowPoint::Bytes() const {
  // Names are shared; what they cost is counted once a hundred points.
  constexpr std::size_t kNameShare = 1;
  return sizeof(WindowPoint) + means.size() * (sizeof(float) + 1 + kNameShare) +
         odd.size() * sizeof(Odd);
}

PeerRange PeersOf(const WindowPoint& point, std::optional<std::size_t> place) {
  constexpr std::size_t kSmall = 64;
  // Sorting the means again for each point of a chart is cheap only in small groups.
  if (!place || point.means.size() > kSmall) {
    return {.median = point.median, .low = point.low, .high = point.high};
  }
  auto means = point.means;
  means.erase(means.begin() + static_cast<std::ptrdiff_t>(*place));
  std::erase_if(means, [](float mean) { return std::isnan(mean); });
  return {
      .median = Quantile(means, 0.5), .low = Quantile(means, 0.1), .high = Quantile(means, 0.9)};
}

void WindowHistory::SetBounds(Duration duration, std::size_t max_bytes) {
  duration_ = duration;
  max_bytes_ = max_bytes;
  Trim();
}

std::shared_ptr<const std::vector<std::string>> WindowHistory::ShareNames(
    const WindowEvent& event) {
  auto& last = names_[{event.preset, event.group}];
  const bool same = last && last->size() == event.components.size() &&
                    std::equal(last->begin(), last->end(), event.components.begin(),
                               [](const std::string& name, const ComponentWindow& component) {
                                 return name == component.component;
                               });
  if (!same) {
    std::vector<std::string> names;
    names.reserve(event.components.size());
    for (const auto& component : event.components) {
      names.push_back(component.component);
    }
    last = std::make_shared<const std::vector<std::string>>(std::move(names));
  }
  return last;
}

void WindowHistory::Add(const WindowEvent& event) {
  if (event.undetermined || event.components.empty()) {
    return;
  }
  auto point = std::make_shared<WindowPoint>();
  point->end = event.end;
  point->names = ShareNames(event);
  point->means.reserve(event.components.size());
  point->degrees.reserve(event.components.size());
  const auto& scale = ColumnRows()[static_cast<std::size_t>(Column::kDegree)];
  for (std::size_t place = 0; place < event.components.size(); ++place) {
    const auto& component = event.components[place];
    point->means.push_back(ToFloat(component.mean));
    point->degrees.push_back(
        static_cast<std::uint8_t>(std::max<std::int16_t>(0, Quantised(scale, component.degree))));
    if (IsOdd(component)) {
      point->odd.push_back(DescribeOdd(component, place));
    }
  }
  auto means = point->means;
  std::erase_if(means, [](float mean) { return std::isnan(mean); });
  point->low = Quantile(means, 0.1);
  point->median = Quantile(means, 0.5);
  point->high = Quantile(means, 0.9);
  bytes_ += point->Bytes();
  newest_ = std::max(newest_, event.end);
  const auto track = tracks_.try_emplace({event.preset, event.group, event.metric}).first;
  track->second.points.push_back(std::move(point));
  order_.push_back(track);
}

void WindowHistory::Trim() {
  while (!order_.empty() && (bytes_ > max_bytes_ ||
                             order_.front()->second.points.front()->end < newest_ - duration_)) {
    DropOldest();
  }
}

void WindowHistory::DropOldest() {
  const auto track = order_.front();
  order_.pop_front();
  bytes_ -= track->second.points.front()->Bytes();
  track->second.points.pop_front();
  if (track->second.points.empty()) {
    names_.erase({track->first.preset, track->first.group});
    tracks_.erase(track);
  }
}

WindowHistory::BySeries WindowHistory::Snapshot() const {
  BySeries all;
  for (const auto& [key, track] : tracks_) {
    all.emplace_hint(all.end(), key, Points(track.points.begin(), track.points.end()));
  }
  return all;
}

}  // namespace limpet
