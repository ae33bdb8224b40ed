#include "tests/accuracy/long_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "tests/accuracy/drive_pages.h"
#include "tests/accuracy/one_run.h"
#include "tests/accuracy/pool.h"
#include "tests/simulator/drives.h"

namespace limpet::accuracy {
namespace {

using simulator::Seconds;

constexpr std::int64_t kDay = 86'400;  // s
constexpr std::size_t kServers = 6;
constexpr std::array kFactors = {1.05, 1.1, 1.15, 1.2, 1.25};
constexpr UnixTime kStart = UnixFromSeconds(1'699'920'000);  // midnight

// Ways to look at the same samples.
constexpr std::array<std::pair<const char*, std::size_t>, 3> kWindows = {
    {{"30 min", 120}, {"4 h", 960}, {"1 day", 5760}}};
constexpr std::size_t kWays = kWindows.size() + 1;
constexpr const char* kMedians = "medians of a day";

struct Kind {
  const char* text;
  bool loop;              // a striped closed loop of kServers, or else hosts of 12 drives
  std::size_t days = 7;   // of a run; slow disks are healthy in the first
  double unlike = 0.015;  // of drives
  double uneven = 0;
  bool transients = false;
};
constexpr std::array kKinds = std::to_array<Kind>({
    {.text = "closed loop, disks unlike by 1.5 %", .loop = true, .days = 4},
    {.text = "drives unlike by 1.5 %", .loop = false},
    {.text = "drives unlike by 4 %", .loop = false, .unlike = 0.04},
    {.text = "drives unlike by 4 %, loads by 10 %", .loop = false, .unlike = 0.04, .uneven = 0.1},
    {.text = "drives unlike by 4 %, one in 40 once slow for 20 to 50 minutes",
     .loop = false,
     .unlike = 0.04,
     .transients = true},
});

// Of a run, s.
double Span(const Kind& kind) { return static_cast<double>(kind.days) * static_cast<double>(kDay); }

std::vector<PresetSettings> Presets(const PresetSettings& at_15s) {
  std::vector<PresetSettings> presets;
  for (const auto& [name, window] : kWindows) {
    auto preset = Named(at_15s, name);
    preset.window = window;
    preset.shift = window / 2;
    preset.default_threshold = 1;  // degrees are in units of it
    presets.push_back(preset);
  }
  return presets;
}

struct Point {
  double at = 0;  // s
  double degree = 0;
};
using Points = std::vector<Point>;

// What the windows of one run say of its disks.
class Watch {
 public:
  explicit Watch(UnixTime start) : start_(start) {}

  void Take(const Event& event) {
    const auto* window = std::get_if<WindowEvent>(&event);
    if (window == nullptr || window->undetermined) {
      return;
    }
    const double at = ToSeconds(window->end - start_);
    const auto way =
        std::ranges::find(kWindows, window->preset, &std::pair<const char*, std::size_t>::first) -
        kWindows.begin();
    for (const auto& one : window->components) {
      auto& most = largest_[{static_cast<std::size_t>(way), window->metric}];
      most = std::max(most, one.degree);
      if (window->metric == "await") {
        points_[static_cast<std::size_t>(way)][one.component].push_back({at, one.degree});
      }
      const bool time = window->metric == "await" || window->metric == "svctm";
      if (way == 0 && time && one.mean && one.peer_median.value_or(0) > 0) {
        auto& least = excess_[one.component].try_emplace(at, 1e9).first->second;
        least = std::min(least, *one.mean / *one.peer_median - 1);
      }
    }
  }

  // By component. The last way looks at the median, over a day's windows, of the lesser excess of
  // await and service time, where a quarter is 1 as with effects, in 3 of 5 days.
  [[nodiscard]] std::map<std::string, Points> Of(std::size_t way) const {
    if (way < points_.size()) {
      return points_[way];
    }
    std::map<std::string, Points> all;
    for (const auto& [component, windows] : excess_) {
      std::map<std::int64_t, std::vector<double>> days;
      for (const auto& [at, excess] : windows) {
        days[static_cast<std::int64_t>(at - 1) / kDay].push_back(excess);
      }
      std::vector<double> medians;
      for (auto& [number, day] : days) {
        std::ranges::sort(day);
        medians.push_back(day[day.size() / 2] / 0.25);
        auto last = std::vector(medians.end() - std::min<std::ptrdiff_t>(5, std::ssize(medians)),
                                medians.end());
        std::ranges::sort(last, std::ranges::greater());
        all[component].push_back({static_cast<double>((number + 1) * kDay),
                                  last.size() < 3 ? 0 : std::max(0.0, last[2])});
      }
    }
    return all;
  }

  // The largest degree of anybody, by way and metric.
  [[nodiscard]] const std::map<std::pair<std::size_t, std::string>, double>& LargestByMetric()
      const {
    return largest_;
  }

 private:
  UnixTime start_;
  std::map<std::pair<std::size_t, std::string>, double> largest_;
  std::array<std::map<std::string, Points>, kWindows.size()> points_;
  std::map<std::string, std::map<double, double>> excess_;  // by component and time
};

struct Slow {
  std::string component;
  std::size_t factor;  // of kFactors
};
struct Run {
  std::size_t kind = 0;
  std::uint64_t seed = 1;
  bool slow = false;
};
struct Result {
  Watch watch{kStart};
  std::vector<Slow> slow;
  double server_days = 0;
};

simulator::DrivesSpec DrivesOf(const Run& run, std::vector<Slow>& slow) {
  const auto& kind = kKinds[run.kind];
  simulator::DrivesSpec spec{.hosts = kFactors.size(),
                             .unlike = kind.unlike,
                             .uneven = kind.uneven,
                             .seed = run.seed + (run.slow ? 1000 : 0),
                             .changes = {}};
  simulator::Random random(spec.seed);
  for (std::size_t host = 0; host < spec.hosts; ++host) {
    if (run.slow) {
      const auto drive = random.Below(spec.drives);
      slow.push_back({fmt::format("h{}/sd{}", host, static_cast<char>('a' + drive)), host});
      spec.changes.push_back(
          {.host = host, .drive = drive, .latency = kFactors[host], .from = kDay});
    }
    for (std::size_t drive = 0; kind.transients && drive < spec.drives; ++drive) {
      if (random.Chance(1.0 / 40)) {
        const auto from = static_cast<std::int64_t>(random.Uniform() * Span(kind));
        const auto length = static_cast<std::int64_t>(random.Uniform(1200.0, 3000.0));
        spec.changes.push_back({.host = host,
                                .drive = drive,
                                .latency = random.Uniform(1.6, 2.1),
                                .from = from,
                                .to = from + length});
      }
    }
  }
  return spec;
}

Result WatchDrives(const Run& run, const std::vector<PresetSettings>& presets) {
  Result result;
  const auto spec = DrivesOf(run, result.slow);
  const auto& kind = kKinds[run.kind];
  result.server_days = static_cast<double>(spec.hosts * kind.days);
  PipelineConfig config{.presets = presets, .groups = {}};
  config.groups = {{.name = "drives", .per_node = true}};
  simulator::Drives drives(spec);
  Pipeline pipeline(config);
  while (static_cast<double>(drives.Second()) < Span(kind)) {
    drives.Next();
    const auto at = kStart + std::chrono::seconds(drives.Second());
    for (std::size_t host = 0; host < spec.hosts; ++host) {
      IngestHost(drives, host, at, pipeline);
    }
    for (const auto& event : pipeline.Advance(at)) {
      result.watch.Take(event);
    }
  }
  return result;
}

// One slow disk a run, of one factor after the other.
Result WatchLoop(const Run& run, const std::vector<PresetSettings>& presets) {
  Result result;
  RunKey key{.servers = kServers,
             .workload = simulator::kWorkloads[run.seed % simulator::kWorkloads.size()],
             .fault = {},
             .seed = run.seed};
  key.clients = 4;
  const auto& kind = kKinds[run.kind];
  key.seconds = static_cast<std::size_t>(Span(kind));
  key.interval = 15;
  key.hardware = run.seed + (run.slow ? 1000 : 0);
  if (run.slow) {
    const auto factor = run.seed / simulator::kWorkloads.size() % kFactors.size();
    key.fault = simulator::Fault::kSlowDisk;
    key.strength = kFactors[factor];
    key.fault_start = Seconds(kDay);
    key.fault_end = Seconds(Span(kind));
    const simulator::Pages pages(ClusterOf(key), PagesOf(key));
    const auto server = SpecOf(key).injections.front().server;
    result.slow.push_back({pages.ServerName(server) + "/sdb", factor});
  }
  result.server_days = static_cast<double>(kServers * kind.days);
  result.watch = Watch(PagesOf(key).start);
  RunThrough(key, {.presets = presets, .groups = PeerGroups()},
             [&](const Event& event, double) { result.watch.Take(event); });
  return result;
}

double Largest(const Points& points) {
  double most = 0;
  for (const auto& point : points) {
    most = std::max(most, point.degree);
  }
  return most;
}

// Since its slowness began; nullopt: never.
std::optional<double> DaysUntil(double threshold, const Points& points) {
  const auto named = std::ranges::find_if(points, [&](const Point& point) {
    return point.at > static_cast<double>(kDay) && point.degree > threshold;
  });
  return named == points.end() ? std::nullopt
                               : std::optional(named->at / static_cast<double>(kDay) - 1);
}

struct Tally {
  std::vector<double> maxima;  // of healthy disks in runs without slow ones
  double server_days = 0;
  std::map<std::string, double> other_metrics;      // the largest degrees of the healthy
  std::array<std::size_t, kFactors.size()> slow{};  // disks
  std::array<std::vector<double>, kFactors.size()> named;
  std::size_t wrong = 0;  // healthy disks in runs with slow ones
  double watched_days = 0;
};

void AddHealthy(const Result& result, std::size_t way, Tally& tally) {
  for (const auto& [component, points] : result.watch.Of(way)) {
    tally.maxima.push_back(Largest(points));
  }
  for (const auto& [key, degree] : result.watch.LargestByMetric()) {
    if (key.first == way && key.second != "await" && key.second != "svctm") {
      auto& most = tally.other_metrics[key.second];
      most = std::max(most, degree);
    }
  }
  tally.server_days += result.server_days;
}

void AddSlow(const Result& result, std::size_t way, double threshold, Tally& tally) {
  tally.watched_days += result.server_days;
  for (const auto& [component, points] : result.watch.Of(way)) {
    const auto slow = std::ranges::find(result.slow, component, &Slow::component);
    if (slow == result.slow.end()) {
      tally.wrong += Largest(points) > threshold ? 1U : 0U;
      continue;
    }
    ++tally.slow[slow->factor];
    if (const auto days = DaysUntil(threshold, points)) {
      tally.named[slow->factor].push_back(*days);
    }
  }
}

std::string Row(const Kind& kind, std::size_t way, const std::vector<Result>& healthy,
                const std::vector<Result>& slow) {
  Tally tally;
  for (const auto& result : healthy) {
    AddHealthy(result, way, tally);
  }
  const auto threshold = ThresholdWithin(tally.maxima, tally.server_days);
  for (const auto& result : slow) {
    AddSlow(result, way, threshold.tail, tally);
  }
  std::ranges::sort(tally.maxima);
  auto text = fmt::format(
      "| {} | {} | {} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} in {:.0f} |",
      kind.text, way < kWindows.size() ? kWindows[way].first : kMedians, tally.maxima.size(),
      tally.server_days, tally.maxima[tally.maxima.size() / 2], tally.maxima.back(),
      threshold.plain, threshold.tail, threshold.upper, tally.wrong, tally.watched_days);
  for (std::size_t factor = 0; factor < kFactors.size(); ++factor) {
    auto& days = tally.named[factor];
    std::ranges::sort(days);
    text += fmt::format(" {} of {}{} |", days.size(), tally.slow[factor],
                        days.empty() ? "" : fmt::format(", {:.1f} d", days[days.size() / 2]));
  }
  for (const auto& [metric, degree] : tally.other_metrics) {
    text += degree > 0 ? fmt::format(" {} {:.2f}", metric, degree) : "";
  }
  return text + " |\n";
}

std::string Head() {
  std::string text =
      "| disks | windows | healthy disks | server-days | median of their largest degrees | largest "
      "| threshold: plain | by the tail | its upper end | wrong at the tail's, in server-days |";
  std::string line = "|---|---|---|---|---|---|---|---|---|---|";
  for (const double factor : kFactors) {
    text += fmt::format(" {} times: named |", factor);
    line += "---|";
  }
  return text + " largest degrees of other metrics |\n" + line + "---|\n";
}

}  // namespace

TailThreshold ThresholdWithin(std::vector<double> maxima, double server_days) {
  std::ranges::sort(maxima, std::ranges::greater());
  const double count = static_cast<double>(maxima.size());
  const double allowed = server_days / kBudgetDays;
  TailThreshold found;
  found.plain = maxima.at(static_cast<std::size_t>(allowed));
  const auto above = std::max<std::size_t>(2, maxima.size() / 10);
  const double least = maxima.at(above);
  const double slope =
      std::accumulate(maxima.begin(), maxima.begin() + static_cast<std::ptrdiff_t>(above), 0.0) /
          static_cast<double>(above) -
      least;
  const double far = std::log(static_cast<double>(above) / count / (allowed / count));
  const double error = 1.96 / std::sqrt(static_cast<double>(above));
  found.tail = least + slope * std::max(0.0, far);
  found.upper = least + slope * (1 + error) * std::max(0.0, far);
  return found;
}

std::string LongWindowTable(const ScenarioSpec& spec, const Progress& progress) {
  const auto presets = Presets(spec.at_15s);
  std::vector<Run> runs;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    for (const bool slow : {false, true}) {
      for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
        runs.push_back({.kind = kind, .seed = seed, .slow = slow});
      }
    }
  }
  const auto results = MapAll(
      runs, spec.threads,
      [&](const Run& run) {
        return kKinds[run.kind].loop ? WatchLoop(run, presets) : WatchDrives(run, presets);
      },
      [&](std::size_t done) { progress(done, runs.size()); });
  auto text = Head();
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    std::vector<Result> healthy;
    std::vector<Result> slow;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].kind == kind) {
        (runs[i].slow ? slow : healthy).push_back(results[i]);
      }
    }
    for (std::size_t way = 0; way < kWays; ++way) {
      text += Row(kKinds[kind], way, healthy, slow);
    }
  }
  return text;
}

}  // namespace limpet::accuracy
