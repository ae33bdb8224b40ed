#include "diagnoser/series/balance.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "diagnoser/series/passed_on.h"
#include "diagnoser/series/stats.h"
#include "diagnoser/series/typical.h"

namespace limpet {
namespace {

constexpr double kMaxRatio = 8;
constexpr double kOtherDirection = 0.2;
// Of the time. For seconds on end such a disk is always busy and follows no load.
constexpr double kSaturated = 0.85;

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
  double network = 0;  // what the disks account for
  double clients = 0;
};

std::vector<Carried> BalanceRow(std::size_t metric, std::size_t network, const OwnBytes& own,
                                bool writes, std::span<MemberSamples> samples) {
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
    sides[i] = {.disks = Mean(disk),
                .network = own.own[i] * Mean(net),
                .clients = own.clients[i] * Mean(net)};
    disks.push_back(sides[i].disks);
    networks.push_back(sides[i].network);
    if (sides[i].network > kMinTraffic) {
      ratios.push_back(sides[i].disks / sides[i].network);
    }
  }
  const bool ratio_known = ratios.size() >= kMinTypical;
  const double usual = TypicalOf(std::move(ratios), 1);
  const double ratio = std::clamp(usual, 1.0, kMaxRatio);
  const double network_median = ratio * TypicalOf(std::move(networks), 0);
  const double typical = std::max(TypicalOf(std::move(disks), 0), network_median);
  std::vector<Carried> carried;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    auto balance = samples[i].metrics.Mutable(metric);
    const auto net = samples[i].metrics.Of(network);
    for (std::size_t t = 0; t < balance.size(); ++t) {
      balance[t] -= ratio * own.own[i] * net[t];
    }
    const double of_network = ratio * sides[i].network;
    carried.push_back({.bytes = std::max(typical, std::min(sides[i].disks, of_network)),
                       .excess = own.no_copies && !(writes && samples[i].disk_busy >= kSaturated)
                                     ? std::optional(of_network - network_median)
                                     : std::nullopt,
                       .usual = ratio_known ? std::min(usual, 1.0) : 0,
                       .doubtful = ratio_known ? 0 : sides[i].clients});
  }
  return carried;
}

// What one direction carries needs acknowledgments and requests in the other.
void AddOtherDirection(Traffic& traffic) {
  const auto carried = traffic;
  for (std::size_t metric = 0; metric < traffic.size(); ++metric) {
    for (const auto& other : carried) {
      for (std::size_t i = 0; i < traffic[metric].size() && i < other.size(); ++i) {
        traffic[metric][i].bytes =
            std::max(traffic[metric][i].bytes, kOtherDirection * other[i].bytes);
      }
    }
  }
}

}  // namespace

Traffic BalanceBytes(std::span<const MetricRow> metrics, std::span<MemberSamples> samples) {
  Traffic traffic(metrics.size());
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    if (metrics[metric].formula.IsBalance()) {
      const bool sends = metrics[metric].checklist.symptom == Symptom::kUnsent;
      const auto own = sends ? OwnBytesSent(metrics, samples) : OwnBytesReceived(samples.size());
      traffic[metric] =
          BalanceRow(metric, FindNetwork(metrics, metrics[metric].formula), own, !sends, samples);
    }
  }
  AddOtherDirection(traffic);
  return traffic;
}

}  // namespace limpet
