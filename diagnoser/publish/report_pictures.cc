#include "diagnoser/publish/report_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/component_text.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/storage_text.h"
#include "diagnoser/publish/svg.h"
#include "diagnoser/publish/value_axis.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr double kWidth = 920;
constexpr std::size_t kMaxTicks = 8;
constexpr std::size_t kMaxPoints = 600;  // of one picture

// A share of a picture's width for a span of time.
// Ticks are at round times of UTC, whatever the span.
class TimeAxis {
 public:
  TimeAxis(UnixTime from, UnixTime to, double left, double right)
      : from_(from), to_(std::max(to, from + 1s)), left_(left), right_(right) {}

  [[nodiscard]] double At(UnixTime at) const {
    const double share = ToSeconds(at - from_) / ToSeconds(to_ - from_);
    return left_ + std::clamp(share, 0.0, 1.0) * (right_ - left_);
  }

  void Draw(Svg& svg, double top, double bottom) const {
    const auto step = Step();
    const bool days = step >= 24h;
    const auto first = UnixTime(step * ((from_.time_since_epoch() + step - Duration(1)) / step));
    for (auto at = first; at <= to_; at += step) {
      const auto text = IsoTime(at);
      const auto clock = text.substr(11, step < 1min ? 8 : 5);
      svg.Line({At(at), top}, {At(at), bottom}, "grid");
      svg.Text({At(at), bottom + 15}, days || clock == "00:00" ? text.substr(5, 5) : clock, "tick",
               Svg::Anchor::kMiddle);
    }
  }

 private:
  [[nodiscard]] Duration Step() const {
    constexpr std::array<Duration, 15> kSteps = {
        5s, 15s, 30s, 1min, 5min, 15min, 30min, 1h, 3h, 6h, 12h, 24h, 24h * 7, 24h * 30, 24h * 365};
    for (const auto step : kSteps) {
      if (static_cast<std::size_t>((to_ - from_) / step) <= kMaxTicks) {
        return step;
      }
    }
    return kSteps.back();
  }

  UnixTime from_;
  UnixTime to_;
  double left_;
  double right_;
};

// The servers with the longest incidents, by name.
// A picture of thousands of rows would be read by nobody.
std::vector<std::string> Servers(const std::vector<Incident>& incidents) {
  std::map<std::string, Duration> lengths;
  for (const auto& incident : incidents) {
    lengths[incident.worst.node] += incident.last - incident.begin + 1s;
  }
  std::vector<std::pair<Duration, std::string>> longest;
  longest.reserve(lengths.size());
  for (const auto& [node, length] : lengths) {
    longest.emplace_back(-length, node);
  }
  std::sort(longest.begin(), longest.end());
  longest.resize(std::min(longest.size(), kMaxServers));
  std::vector<std::string> nodes;
  nodes.reserve(longest.size());
  for (auto& [length, node] : longest) {
    nodes.push_back(std::move(node));
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// What is drawn of one window.
struct Drawn {
  UnixTime end;
  double mean = 0;  // NaN: the component took no part
  double median = 0;
  double low = 0;
  double high = 0;
};

// Around the incident, as far as the windows go.
std::vector<Drawn> PickWindows(const WindowHistory::Points& windows, const Evidence& evidence,
                               const Incident& incident, double factor) {
  const auto around = std::max<Duration>((incident.last - incident.begin) / 2, 10min);
  std::vector<Drawn> drawn;
  for (const auto& window : windows) {
    if (window->end < incident.begin - 2 * around || window->end > incident.last + around) {
      continue;
    }
    const auto& names = *window->names;
    const auto name = std::lower_bound(names.begin(), names.end(), evidence.component);
    const bool is_there = name != names.end() && *name == evidence.component;
    const auto place = static_cast<std::size_t>(name - names.begin());
    const auto peers = PeersOf(*window, is_there ? std::optional(place) : std::nullopt);
    drawn.push_back(
        {.end = window->end,
         .mean = is_there ? factor * static_cast<double>(window->means[place]) : std::nan(""),
         .median = factor * static_cast<double>(peers.median),
         .low = factor * static_cast<double>(peers.low),
         .high = factor * static_cast<double>(peers.high)});
  }
  if (drawn.size() > kMaxPoints) {
    // The windows of the incident matter most: those after it go first.
    drawn.resize(kMaxPoints);
  }
  return drawn;
}

ValueAxis AxisOf(const std::vector<Drawn>& windows, double top, double bottom) {
  ValueAxis axis(top, bottom);
  for (const auto& one : windows) {
    for (const double value : {one.mean, one.high, one.low}) {
      axis.Hold(value);
    }
  }
  return axis;
}

void DrawLines(Svg& svg, const std::vector<Drawn>& windows, const TimeAxis& times,
               const ValueAxis& values) {
  std::vector<SvgPoint> band;
  std::vector<SvgPoint> median;
  std::vector<SvgPoint> own;
  band.reserve(2 * windows.size());
  median.reserve(windows.size());
  own.reserve(windows.size());
  for (const auto& one : windows) {
    band.push_back({times.At(one.end), values.At(one.high)});
    median.push_back({times.At(one.end), values.At(one.median)});
    if (std::isfinite(one.mean)) {
      own.push_back({times.At(one.end), values.At(one.mean)});
    }
  }
  for (auto one = windows.rbegin(); one != windows.rend(); ++one) {
    band.push_back({times.At(one->end), values.At(one->low)});
  }
  svg.Area(band, "band");
  svg.Path(median, "median");
  svg.Path(own, "own");
  constexpr std::size_t kMaxDots = 120;
  for (std::size_t i = 0; i < own.size() && own.size() <= kMaxDots; ++i) {
    svg.Dot(own[i], 2, "dot");
  }
}

}  // namespace

std::string TimelinePicture(const std::vector<Incident>& incidents, UnixTime from, UnixTime to) {
  const auto nodes = Servers(incidents);
  if (nodes.empty()) {
    return {};
  }
  constexpr double kLeft = 150;
  constexpr double kRow = 22;
  const double bottom = 10 + kRow * static_cast<double>(nodes.size());
  Svg svg(kWidth, bottom + 24, fmt::format("Incidents over time, of servers: {}", nodes.size()));
  const TimeAxis axis(from, to, kLeft, kWidth - 20);
  axis.Draw(svg, 6, bottom);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double middle = 10 + kRow * (static_cast<double>(i) + 0.5);
    svg.Text({kLeft - 10, middle + 4}, Shortened(nodes[i], 20), "name", Svg::Anchor::kEnd);
    svg.Line({kLeft, middle}, {kWidth - 20, middle}, "row");
    for (const auto& incident : incidents) {
      if (incident.worst.node == nodes[i]) {
        const double begin = axis.At(incident.begin);
        svg.Box({begin, middle - 6}, std::max(4.0, axis.At(incident.last) - begin), 12,
                fmt::format("{}{}", Name(RowOf(incident.worst.cause).family),
                            incident.indicted ? "" : " secondary"),
                fmt::format("{}: {}, {} to {}", nodes[i], Name(incident.worst.cause),
                            IsoTime(incident.begin), IsoTime(incident.last)));
      }
    }
  }
  return svg.Finish();
}

std::string EvidencePicture(const WindowHistory::Points& windows, const Evidence& evidence,
                            const Incident& incident) {
  const auto* row = FindMetric(evidence.metric);
  auto display = row == nullptr ? Display() : row->display;
  if (evidence.storage) {
    display = StorageDisplay(evidence.storage->unit, evidence.mean.value_or(0));
    display.unit = display.unit.empty() ? evidence.storage->unit : display.unit;
  }
  const auto drawn = PickWindows(windows, evidence, incident, display.factor);
  const bool has_own = std::any_of(drawn.begin(), drawn.end(),
                                   [](const Drawn& one) { return std::isfinite(one.mean); });
  if (drawn.size() < 2 || !has_own) {
    return {};
  }
  constexpr double kLeft = 70;
  constexpr double kTop = 26;
  constexpr double kBottom = 190;
  const std::string what(evidence.storage ? std::string_view(evidence.storage->text)
                         : row == nullptr ? std::string_view(evidence.metric)
                                          : row->text);
  const auto who = DescribeComponent(evidence.component, evidence.metric);
  const auto unit = display.unit.empty() ? std::string() : fmt::format(", {}", display.unit);
  Svg svg(kWidth, kBottom + 24,
          fmt::format("{} of {} over time against its peers: {}", what, who, Explain(evidence)));
  const TimeAxis times(drawn.front().end, drawn.back().end, kLeft, kWidth - 20);
  const auto values = AxisOf(drawn, kTop, kBottom);
  svg.Box({times.At(incident.begin), kTop},
          std::max(2.0, times.At(incident.last) - times.At(incident.begin)), kBottom - kTop,
          "span");
  values.Draw(svg, kLeft, kWidth - 20);
  times.Draw(svg, kTop, kBottom);
  DrawLines(svg, drawn, times, values);
  svg.Text({kLeft, 14}, fmt::format("{} of {}{}", what, who, unit), "name");
  return svg.Finish();
}

}  // namespace limpet
