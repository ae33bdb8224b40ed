#include "diagnoser/series/balance.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace limpet {
namespace {

constexpr double kMinTraffic = 1 << 20;  // B/s; below it the ratio is that of odds and ends
constexpr double kMaxRatio = 8;
constexpr std::size_t kMinMembers = 3;
constexpr double kOtherDirection = 0.2;

double Mean(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double MedianOr(std::vector<double> values, double otherwise) {
  if (values.size() < kMinMembers) {
    return otherwise;
  }
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// The row of the network's side alone.
std::size_t FindNetwork(std::span<const MetricRow> metrics, const Formula& balance) {
  const auto found = std::ranges::find_if(metrics, [&](const MetricRow& row) {
    return !row.formula.IsBalance() && row.formula.counters == balance.counters;
  });
  return static_cast<std::size_t>(found - metrics.begin());
}

void DropMetric(MemberSamples& member, std::size_t metric) {
  SampleSet kept;
  for (std::size_t i = 0; i < member.metrics.size(); ++i) {
    kept.Add(i == metric ? std::span<const double>() : member.metrics.Of(i));
  }
  member.metrics = std::move(kept);
}

// Means over the window.
struct Sides {
  double disks = 0;
  double network = 0;
};

std::vector<double> BalanceRow(std::size_t metric, std::size_t network,
                               std::span<MemberSamples> samples) {
  std::vector<Sides> sides(samples.size());
  std::vector<double> ratios;
  std::vector<double> disks;
  std::vector<double> networks;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto disk = samples[i].metrics.Of(metric);
    const auto net = samples[i].metrics.Of(network);
    // With a hole, places are not times any more.
    if (disk.size() != net.size() || disk.empty()) {
      DropMetric(samples[i], metric);
      continue;
    }
    sides[i] = {.disks = Mean(disk), .network = Mean(net)};
    disks.push_back(sides[i].disks);
    networks.push_back(sides[i].network);
    if (sides[i].network > kMinTraffic) {
      ratios.push_back(sides[i].disks / sides[i].network);
    }
  }
  const double ratio = std::clamp(MedianOr(std::move(ratios), 1), 1.0, kMaxRatio);
  const double typical =
      std::max(MedianOr(std::move(disks), 0), ratio * MedianOr(std::move(networks), 0));
  std::vector<double> traffic;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    auto balance = samples[i].metrics.Mutable(metric);
    const auto net = samples[i].metrics.Of(network);
    for (std::size_t t = 0; t < balance.size(); ++t) {
      balance[t] -= ratio * net[t];
    }
    traffic.push_back(std::max(typical, std::min(sides[i].disks, ratio * sides[i].network)));
  }
  return traffic;
}

// What one direction carries needs acknowledgments and requests in the other.
void AddOtherDirection(Traffic& traffic) {
  const auto carried = traffic;
  for (std::size_t metric = 0; metric < traffic.size(); ++metric) {
    for (const auto& other : carried) {
      for (std::size_t i = 0; i < traffic[metric].size() && i < other.size(); ++i) {
        traffic[metric][i] = std::max(traffic[metric][i], kOtherDirection * other[i]);
      }
    }
  }
}

}  // namespace

Traffic BalanceBytes(std::span<const MetricRow> metrics, std::span<MemberSamples> samples) {
  Traffic traffic(metrics.size());
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    if (metrics[metric].formula.IsBalance()) {
      traffic[metric] = BalanceRow(metric, FindNetwork(metrics, metrics[metric].formula), samples);
    }
  }
  AddOtherDirection(traffic);
  return traffic;
}

}  // namespace limpet
