#include "diagnoser/series/balance.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "diagnoser/series/directions.h"
#include "diagnoser/series/strangers.h"

namespace limpet {
namespace {

constexpr double kOtherDirection = 0.2;

void Subtract(const FlowDirection& direction, std::size_t i, MemberSamples& member) {
  const auto balance = member.metrics.Mutable(direction.metric);
  const auto net = member.metrics.Of(direction.network);
  const double factor = direction.net * direction.own.own[i];
  for (std::size_t t = 0; t < balance.size(); ++t) {
    balance[t] = direction.disk * balance[t] - factor * net[t];
  }
}

Carried WeighImbalance(const Suspect& suspect) {
  const auto& direction = *suspect.direction;
  const auto& peers = suspect.peers;
  const double of_network = direction.net * suspect.Own().network;
  const double bytes = std::max(
      {peers.disks, peers.network, std::min(direction.disk * suspect.Own().disks, of_network)});
  const bool no_copies = direction.own.no_copies;
  const bool surplus = MayReadOrWrite(suspect, bytes);
  return {.bytes = bytes,
          .excess = no_copies && !(direction.writes && IsSaturated(suspect.Samples()))
                        ? std::optional(of_network - peers.network)
                        : std::nullopt,
          .usual = direction.seen == Seen::kNo ? 1 : std::min(direction.ratio.value_or(0), 1.0),
          .doubtful = direction.seen == Seen::kIdle ? suspect.Own().clients : 0,
          .at_one_disk = direction.disk * suspect.alone.more,
          .of_one_disk = direction.disk * suspect.alone.usual,
          .disks = suspect.Samples().disks.size(),
          .explained = IsExplained(suspect),
          .surplus = surplus,
          .deficit = MaySendOrReceive(suspect, bytes),
          .starved = surplus && IsStarved(suspect)};
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
  std::vector<FlowDirection> directions;
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    if (metrics[metric].formula.IsBalance()) {
      directions.push_back(MeasureDirection(metrics, metric, samples));
    }
  }
  Traffic traffic(metrics.size());
  for (const auto& direction : directions) {
    const DisksByPlace disks(samples, direction.writes);
    Suspect suspect{.all = directions,
                    .direction = &direction,
                    .samples = samples,
                    .peers = FindPeerBytes(direction, samples),
                    .group_explained = IsGroupExplained(directions, direction),
                    .disks = &disks};
    for (std::size_t i = 0; i < samples.size(); ++i) {
      suspect.member = i;
      suspect.alone = disks.FindAlone(i);
      traffic[direction.metric].push_back(direction.sides[i] ? WeighImbalance(suspect) : Carried());
      if (direction.sides[i]) {
        Subtract(direction, i, samples[i]);
      }
    }
  }
  AddOtherDirection(traffic);
  return traffic;
}

}  // namespace limpet
