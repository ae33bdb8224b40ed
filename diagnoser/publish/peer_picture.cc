#include "diagnoser/publish/peer_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/component_text.h"
#include "diagnoser/publish/svg.h"
#include "diagnoser/publish/value_axis.h"

namespace limpet {
namespace {

constexpr double kLeftEdge = 70;
constexpr double kRightEdge = 880;
constexpr double kHeading = 44;
constexpr double kChartHeight = 190;
constexpr std::array kFurthest = {"first", "second", "third"};

constexpr std::string_view kPeerStyle = R"(
svg { background: #fff; font: 12px system-ui, sans-serif; fill: #1b2430; }
.name { font-weight: 600; } .tick { fill: #5c6773; font-size: 11px; }
.grid { stroke: #dde1e7; } .pause { stroke: #5c6773; stroke-dasharray: 2 4; }
.band { fill: #cfe0ea; } polyline { fill: none; stroke-linejoin: round; }
.peer { stroke: #3a7ca5; stroke-opacity: .45; } circle.peer { fill: #3a7ca5; }
.first { stroke: #c8401a; stroke-width: 2; } .second { stroke: #7d3fa6; stroke-width: 1.5; }
.third { stroke: #8a6100; stroke-width: 1.5; }
text.first { fill: #c8401a; stroke: none; } text.second { fill: #7d3fa6; stroke: none; }
text.third { fill: #8a6100; stroke: none; }
)";

bool Moved(const PeerSeries& series) {
  return std::ranges::any_of(series.lines, [](const PeerSeries::Line& line) {
    return std::ranges::any_of(
        line.means, [](float mean) { return std::isfinite(mean) && std::abs(mean) > 0; });
  });
}

// The median of one point; NaN where nothing was compared.
float MedianAt(const PeerSeries& series, std::size_t point) {
  std::vector<float> means;
  means.reserve(series.lines.size());
  for (const auto& line : series.lines) {
    if (std::isfinite(line.means[point])) {
      means.push_back(line.means[point]);
    }
  }
  if (means.empty()) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const auto middle = means.begin() + static_cast<std::ptrdiff_t>(means.size() / 2);
  std::nth_element(means.begin(), middle, means.end());
  return *middle;
}

struct Ranked {
  float distance = 0;  // the largest from the median of all, at any point
  const PeerSeries::Line* line = nullptr;
};

// The furthest first.
std::vector<Ranked> RankLines(const PeerSeries& series) {
  std::vector<Ranked> ranked(series.lines.size());
  std::ranges::transform(series.lines, ranked.begin(), [](const PeerSeries::Line& line) {
    return Ranked{0, &line};
  });
  for (std::size_t point = 0; point < series.times.size(); ++point) {
    const float median = MedianAt(series, point);
    for (auto& one : ranked) {
      const float distance = std::abs(one.line->means[point] - median);
      one.distance = std::isfinite(distance) ? std::max(one.distance, distance) : one.distance;
    }
  }
  std::ranges::stable_sort(ranked, std::ranges::greater(), &Ranked::distance);
  return ranked;
}

// One chart: where points and values are.
class Chart {
 public:
  Chart(Svg& svg, const PeerSeries& series, double top)
      : svg_(svg), series_(series), values_(top + 22, top + 142), top_(top) {
    if (const auto* row = FindMetric(series.metric); row != nullptr) {
      display_ = row->display;
      what_ = row->text;
    }
    const auto [lines, points] = std::pair(series.lines.size(), series.times.size());
    svg.Text({kLeftEdge, top + 12},
             fmt::format("{}: {}{}{}; {} peers, {} points", series.group,
                         what_.empty() ? std::string_view(series.metric) : what_,
                         display_.unit.empty() ? "" : ", ", display_.unit, lines, points),
             "name");
    for (const auto& line : series.lines) {
      for (const float mean : line.means) {
        values_.Hold(display_.factor * static_cast<double>(mean));
      }
    }
    values_.Draw(svg, kLeftEdge, kRightEdge);
    FindPauses();
    DrawTimes();
  }

  void DrawLine(const PeerSeries::Line& line, std::string_view style) {
    std::vector<SvgPoint> run;
    for (std::size_t i = 0; i < line.means.size(); ++i) {
      if (pauses_[i] || !std::isfinite(line.means[i])) {
        EndRun(run, style);
      }
      if (std::isfinite(line.means[i])) {
        run.push_back({At(i), Value(line.means[i])});
      }
    }
    EndRun(run, style);
  }

  // From the least to the largest of these lines.
  void DrawBand(const std::vector<Ranked>& ranked, std::size_t first) {
    std::vector<SvgPoint> upper;
    std::vector<SvgPoint> lower;
    for (std::size_t i = 0; i < series_.times.size(); ++i) {
      float least = std::numeric_limits<float>::infinity();
      float largest = -least;
      for (std::size_t place = first; place < ranked.size(); ++place) {
        const float mean = ranked[place].line->means[i];
        least = std::isfinite(mean) ? std::min(least, mean) : least;
        largest = std::isfinite(mean) ? std::max(largest, mean) : largest;
      }
      if (least <= largest) {
        upper.push_back({At(i), Value(largest)});
        lower.push_back({At(i), Value(least)});
      }
    }
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    svg_.Area(upper, "band");
  }

  void Name(std::size_t rank, const Ranked& line) {
    constexpr double kColumn = (kRightEdge - kLeftEdge) / static_cast<double>(kFurthest.size());
    constexpr std::size_t kMaxName = 34;
    svg_.Text({kLeftEdge + kColumn * static_cast<double>(rank), top_ + 176},
              fmt::format("{}: {}", Shortened(line.line->component, kMaxName),
                          Rounded(display_.factor * static_cast<double>(line.distance))),
              kFurthest.at(rank));
  }

 private:
  [[nodiscard]] double At(std::size_t point) const {
    const auto last = static_cast<double>(std::max<std::size_t>(series_.times.size(), 2) - 1);
    return kLeftEdge + (kRightEdge - kLeftEdge) * static_cast<double>(point) / last;
  }
  [[nodiscard]] double Value(float mean) const {
    return values_.At(display_.factor * static_cast<double>(mean));
  }

  // A line over hours of which nothing is known would invent them.
  void FindPauses() {
    pauses_.assign(series_.times.size(), false);
    auto usual = Duration::max();
    for (std::size_t i = 1; i < series_.times.size(); ++i) {
      usual = std::min(usual, series_.times[i] - series_.times[i - 1]);
    }
    for (std::size_t i = 1; i < series_.times.size(); ++i) {
      pauses_[i] = (series_.times[i] - series_.times[i - 1]) / 3 > usual;
      if (pauses_[i]) {
        const double middle = (At(i - 1) + At(i)) / 2;
        svg_.Line({middle, top_ + 22}, {middle, top_ + 142}, "pause");
      }
    }
  }

  void DrawTimes() {
    constexpr std::size_t kTimes = 6;
    const auto points = series_.times.size();
    const auto step = std::max<std::size_t>(1, (points + kTimes - 1) / kTimes);
    for (std::size_t i = 0; i < points; i += step) {
      auto text = IsoTime(series_.times[i]).substr(5, 11);
      std::ranges::replace(text, 'T', ' ');
      svg_.Text({At(i), top_ + 157}, text, "tick", Svg::Anchor::kMiddle);
    }
  }

  void EndRun(std::vector<SvgPoint>& run, std::string_view style) {
    if (run.size() == 1) {
      svg_.Dot(run.front(), 1.5, style);
    } else if (!run.empty()) {
      svg_.Path(run, style);
    }
    run.clear();
  }

  Svg& svg_;
  const PeerSeries& series_;
  ValueAxis values_;
  double top_;
  Display display_;
  std::string_view what_;
  std::vector<bool> pauses_;  // by point: the one before it is long ago
};

void DrawChart(Svg& svg, const PeerSeries& series, double top) {
  const auto ranked = RankLines(series);
  Chart chart(svg, series, top);
  const auto drawn = std::min(ranked.size(), kMaxDrawn);
  if (drawn < ranked.size()) {
    chart.DrawBand(ranked, drawn);
  }
  // The furthest last, over all others.
  for (std::size_t place = drawn; place-- > 0;) {
    const bool named = place < kFurthest.size() && ranked[place].distance > 0;
    chart.DrawLine(*ranked[place].line, named ? kFurthest.at(place) : "peer");
    if (named) {
      chart.Name(place, ranked[place]);
    }
  }
}

}  // namespace

std::string PeerPicture(const std::vector<PeerSeries>& series, std::uint64_t left_out) {
  std::vector<const PeerSeries*> moved;
  moved.reserve(series.size());
  for (const auto& one : series) {
    if (Moved(one)) {
      moved.push_back(&one);
    }
  }
  const auto charts = std::min(moved.size(), kMaxCharts);
  auto heading = fmt::format(
      "Peers over one another (UTC); in colour those that leave the median the furthest, and how "
      "far. Metrics: {}, never moved: {}",
      series.size(), series.size() - moved.size());
  if (charts < moved.size()) {
    heading += fmt::format(", not drawn: {}", moved.size() - charts);
  }
  if (left_out > 0) {
    heading += fmt::format(", means left out: {}", left_out);
  }
  Svg svg(920, kHeading + kChartHeight * static_cast<double>(charts), heading);
  svg.Text({10, 20}, heading, "tick");
  for (std::size_t i = 0; i < charts; ++i) {
    DrawChart(svg, *moved[i], kHeading + kChartHeight * static_cast<double>(i));
  }
  return svg.FinishFile(kPeerStyle);
}

}  // namespace limpet
