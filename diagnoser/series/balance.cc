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

double BalanceRow(std::size_t metric, std::size_t network, std::span<MemberSamples> samples) {
  std::vector<double> ratios;
  std::vector<double> disks;
  std::vector<double> networks;
  for (auto& member : samples) {
    const auto disk = member.metrics.Of(metric);
    const auto net = member.metrics.Of(network);
    // With a hole, places are not times any more.
    if (disk.size() != net.size() || disk.empty()) {
      DropMetric(member, metric);
      continue;
    }
    disks.push_back(Mean(disk));
    networks.push_back(Mean(net));
    if (networks.back() > kMinTraffic) {
      ratios.push_back(disks.back() / networks.back());
    }
  }
  const double ratio = std::clamp(MedianOr(std::move(ratios), 1), 1.0, kMaxRatio);
  for (auto& member : samples) {
    auto balance = member.metrics.Mutable(metric);
    const auto net = member.metrics.Of(network);
    for (std::size_t i = 0; i < balance.size(); ++i) {
      balance[i] -= ratio * net[i];
    }
  }
  return std::max(MedianOr(std::move(disks), 0), ratio * MedianOr(std::move(networks), 0));
}

}  // namespace

std::vector<double> BalanceBytes(std::span<const MetricRow> metrics,
                                 std::span<MemberSamples> samples) {
  std::vector<double> traffic(metrics.size());
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    if (metrics[metric].formula.IsBalance()) {
      traffic[metric] = BalanceRow(metric, FindNetwork(metrics, metrics[metric].formula), samples);
    }
  }
  return traffic;
}

void DropBalances(std::span<const MetricRow> metrics, std::span<MemberSamples> samples) {
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    for (auto& member : samples) {
      if (metrics[metric].formula.IsBalance() && !member.metrics.Of(metric).empty()) {
        DropMetric(member, metric);
      }
    }
  }
}

}  // namespace limpet
