#include "diagnoser/custom/window.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "diagnoser/custom/joins.h"
#include "diagnoser/detect/comparison.h"
#include "diagnoser/detect/group_window.h"
#include "diagnoser/metrics/missing.h"
#include "diagnoser/metrics/samples.h"
#include "diagnoser/series/smoothing.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

// Of the series itself, or of the info series that the join names.
JoinedLabels FindLabels(const CustomReadings& readings, const CustomCell& cell,
                        const CustomJoin& join, const std::vector<std::string>& wanted) {
  if (join.series.empty()) {
    return {.outcome = JoinOutcome::kFound, .values = LabelValues(cell.labels, wanted)};
  }
  return readings.Joins().Find(join, LabelValues(cell.labels, join.on), wanted);
}

std::string DeviceName(std::string_view value) {
  constexpr std::string_view kDev = "/dev/";
  return std::string(value.starts_with(kDev) ? value.substr(kDev.size()) : value);
}

// What the component's peers share with it; nullopt: no info series says so, or two do.
std::optional<std::string> PeersKey(const CustomReadings& readings, const CustomMetric& metric,
                                    const CustomCell& cell, const std::string& node) {
  std::string key;
  // Targets with different roles do different work; who tells of others' components has none.
  if (metric.node.label.empty() && !cell.role.empty()) {
    key = cell.role;
  }
  std::vector<std::string> wanted;
  std::ranges::copy_if(metric.peers.same, std::back_inserter(wanted),
                       [](const std::string& label) { return label != "node"; });
  const auto found = FindLabels(readings, cell, metric.peers.join, wanted);
  if (found.outcome != JoinOutcome::kFound) {
    return std::nullopt;
  }
  std::size_t next = 0;
  for (const auto& label : metric.peers.same) {
    key.append(key.empty() ? "" : "/").append(label == "node" ? node : found.values[next++]);
  }
  return key;
}

// The rise of all tracks of a part in a bin; missing where none of them has one.
double RiseIn(const CustomCell& cell, CustomPart part, std::size_t grid, std::int64_t bin) {
  double sum = kMissing;
  for (const auto& track : cell.tracks) {
    if (track.part == part && track.counter.Last()) {
      const double rise = track.counter.Column(grid).At(bin);
      if (!IsMissing(rise)) {
        sum = IsMissing(sum) ? rise : sum + rise;
      }
    }
  }
  return sum;
}

// The mean that the median of the targets sees, as a share of the mean of all requests, at most 1;
// 1 where fewer than kMinPeers tell. A client that is far away or overloaded waits long for
// whomever it asks, and must not count by how much it asks for.
double ShareOfMedianTeller(const CustomCell& cell, std::size_t grid, std::int64_t first,
                           std::size_t count) {
  constexpr double kLeastRequests = 5;
  struct Told {
    double sum = 0;
    double requests = 0;
  };
  std::map<std::uint32_t, Told> by_source;
  // A track has the source of its place.
  for (std::size_t i = 0; i < std::min(cell.tracks.size(), cell.sources.size()); ++i) {
    const auto& track = cell.tracks[i];
    auto& told = by_source[cell.sources[i]];
    for (std::size_t step = 0; track.counter.Last() && step < count; ++step) {
      const double rise = track.counter.Column(grid).At(first + static_cast<std::int64_t>(step));
      if (!IsMissing(rise)) {
        (track.part == CustomPart::kValue ? told.sum : told.requests) += rise;
      }
    }
  }
  std::vector<double> means;
  Told all;
  for (const auto& [source, told] : by_source) {
    all.sum += told.sum;
    all.requests += told.requests;
    if (told.requests >= kLeastRequests) {
      means.push_back(told.sum / told.requests);
    }
  }
  return means.size() >= kMinPeers && all.sum > 0
             ? std::min(1.0, Median(means) * all.requests / all.sum)
             : 1;
}

// A step each; kMissing where there is a hole. `requests` of the last `window` of them.
// The mean of the window stands for steps without requests: they say nothing, and are no holes.
std::vector<double> MeanSteps(const CustomMetric& metric, const CustomCell& cell, std::size_t grid,
                              std::int64_t first, std::size_t count, double& requests) {
  std::vector<double> sums(count);
  std::vector<double> counts(count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bin = first + static_cast<std::int64_t>(i);
    sums[i] = RiseIn(cell, CustomPart::kValue, grid, bin);
    counts[i] = RiseIn(cell, CustomPart::kCount, grid, bin);
    if (!IsMissing(sums[i]) && !IsMissing(counts[i])) {
      sum += sums[i];
      requests += counts[i];
    }
  }
  const double mean = requests > 0 ? sum / requests : kMissing;
  const double factor =
      metric.factor * (metric.add_up ? ShareOfMedianTeller(cell, grid, first, count) : 1);
  for (std::size_t i = 0; i < count; ++i) {
    const double of_step = counts[i] < kMinRequests ? mean : sums[i] / counts[i];
    sums[i] = (IsMissing(sums[i]) || IsMissing(counts[i]) ? kMissing : of_step) * factor;
  }
  return sums;
}

// As many steps before the window as smoothing wants.
std::vector<double> Steps(const CustomMetric& metric, const CustomCell& cell, UnixTime end,
                          const WindowShape& shape, std::size_t grid, Duration max_gap,
                          double& requests) {
  const auto count = shape.window + shape.smoothing - 1;
  const auto first = BinAt(end, shape.step) - static_cast<std::int64_t>(count) + 1;
  if (metric.shape == CustomShape::kMean) {
    return MeanSteps(metric, cell, grid, first, count, requests);
  }
  std::vector<double> steps(count, kMissing);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bin = first + static_cast<std::int64_t>(i);
    if (metric.shape == CustomShape::kGauge) {
      const auto at = UnixTime(shape.step * bin);
      const auto* const reading = cell.gauge.Latest(at);
      steps[i] = reading != nullptr && at - reading->at <= max_gap ? reading->value : kMissing;
    } else {
      steps[i] =
          RiseIn(cell, CustomPart::kValue, grid, bin) * metric.factor / ToSeconds(shape.step);
    }
  }
  return steps;
}

// The largest steps count as the largest of the others: one jump of a counter (a restart behind a
// proxy, a series that became another) is no slow server, which is slow for longer. No limit of the
// hardware refuses it, as it does for disks.
void ClipJumps(std::vector<double>& steps) {
  constexpr std::size_t kOneIn = 20;
  std::vector<double> sorted;
  std::ranges::copy_if(steps, std::back_inserter(sorted),
                       [](double step) { return !IsMissing(step); });
  const auto clipped = 1 + (sorted.size() + kOneIn - 1) / kOneIn;
  if (sorted.size() <= clipped) {
    return;
  }
  const auto most = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() - 1 - clipped);
  std::ranges::nth_element(sorted, most);
  for (auto& step : steps) {
    if (!IsMissing(step)) {
      step = std::min(step, *most);
    }
  }
}

}  // namespace

// A component that nothing places is counted, and compared with nothing: silence is not health.
CustomPlaces PlaceComponents(const CustomReadings& readings, std::size_t metric, UnixTime since,
                             const NodeNames& nodes) {
  const auto& row = readings.Metrics()[metric];
  CustomPlaces places;
  std::map<std::string, std::map<std::string, CustomMember>> groups;
  for (const auto number : readings.CellsOf(metric)) {
    const auto& cell = readings.Cells()[number];
    if (!cell.last || *cell.last <= since) {
      continue;
    }
    auto node = cell.node;
    if (!row.node.label.empty()) {
      const auto found = FindLabels(readings, cell, row.node.join, {row.node.label});
      if (found.outcome != JoinOutcome::kFound) {
        ++(found.outcome == JoinOutcome::kTwo ? places.two_nodes : places.no_node);
        continue;
      }
      node = nodes.Find(found.values.front());
    }
    const auto peers = PeersKey(readings, row, cell, node);
    if (!peers) {
      ++places.no_node;
      continue;
    }
    CustomMember member{.name = cell.component.empty() ? node : node + "/" + cell.component,
                        .node = node,
                        .component = cell.component,
                        .disk = {},
                        .cell = &cell};
    if (!row.device.label.empty()) {
      const auto device = FindLabels(readings, cell, row.device.join, {row.device.label});
      member.disk = device.outcome == JoinOutcome::kFound ? DeviceName(device.values.front()) : "";
    }
    const auto name = peers->empty() ? row.name : row.name + ":" + *peers;
    groups[name].emplace(member.name, member);
  }
  for (auto& [name, members] : groups) {
    auto& group = places.groups.emplace_back(CustomGroup{.name = name, .members = {}});
    for (auto& [its, member] : members) {
      group.members.push_back(std::move(member));
    }
  }
  return places;
}

double LeastRequests(const CustomMetric& metric) {
  constexpr double kShare = 0.25;
  constexpr double kFewest = 5;  // one long request is nobody's fault
  const auto asked = std::max(1.0, static_cast<double>(metric.min_count));
  return std::min(asked, std::max(kFewest, kShare * asked));
}

std::optional<CustomSamples> SampleWindow(const CustomMetric& metric, const CustomCell& cell,
                                          UnixTime end, const WindowShape& shape, std::size_t grid,
                                          Duration max_gap) {
  CustomSamples samples;
  auto steps = Steps(metric, cell, end, shape, grid, max_gap, samples.requests);
  if (metric.shape == CustomShape::kMean && samples.requests < LeastRequests(metric)) {
    return std::nullopt;
  }
  if (metric.shape != CustomShape::kGauge) {
    ClipJumps(steps);
  }
  samples.values = Smooth(steps, shape.smoothing);
  std::erase_if(samples.values, IsMissing);
  if (samples.values.size() < MinSamples(shape.window)) {
    return std::nullopt;
  }
  return samples;
}

// Buckets of one page have one instant, so a bucket that lags behind the others is gone.
std::optional<BucketCounts> CountWindow(const CustomMetric& metric, const CustomCell& cell,
                                        UnixTime end, const WindowShape& shape, Duration tick) {
  if (!cell.buckets) {
    return std::nullopt;
  }
  const auto begin = end - shape.step * static_cast<Duration::rep>(shape.window);
  const auto buckets = cell.buckets->Sum(BinAt(begin, tick), BinAt(end, tick));
  std::int64_t latest = 0;
  for (const auto& bucket : buckets) {
    latest = std::max(latest, bucket.last);
  }
  std::vector<double> bounds;
  std::vector<double> increases;
  double total = 0;
  for (const auto& bucket : buckets) {
    // One that the pages do not have any more rises by nothing, and is no distribution's.
    if (bucket.last < latest - 1) {
      continue;
    }
    total = bucket.increase;  // of the last one, which counts all requests
    bounds.push_back(bucket.bound);
    increases.push_back(bucket.increase);
  }
  auto counts = MakeCounts(bounds, increases, total);
  if (!counts || counts->total < LeastRequests(metric)) {
    return std::nullopt;
  }
  return counts;
}

}  // namespace limpet
