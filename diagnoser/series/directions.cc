#include "diagnoser/series/directions.h"

#include <algorithm>
#include <utility>

#include "diagnoser/series/stats.h"
#include "diagnoser/series/typical.h"

namespace limpet {
namespace {

constexpr double kHeaders = 0.1;

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

// The larger of what goes in and what goes out.
double BusierDirection(std::span<const MetricRow> metrics, const MemberSamples& member) {
  double most = 0;
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    const auto samples = member.metrics.Of(metric);
    if (metrics[metric].gate == Gate::kNetwork && !samples.empty()) {
      most = std::max(most, Mean(samples));
    }
  }
  return most;
}

// Whether, and how, the network explains the disks.
void Weigh(FlowDirection& direction) {
  std::vector<double> ratios;
  std::vector<double> shares;
  std::size_t known = 0;
  for (const auto& sides : direction.sides) {
    known += sides ? 1U : 0U;
    if (sides && IsTraffic(*sides)) {
      ratios.push_back(sides->disks / sides->network);
    }
    if (sides && sides->disks > kMinTraffic) {
      shares.push_back(sides->network / sides->disks);
    }
  }
  // Where half of the disks or fewer move anything, it is no service whose network is elsewhere.
  const double share = 2 * shares.size() > known ? TypicalOf(std::move(shares), 1) : 1;
  if (ratios.size() >= kMinTypical) {
    // The half that is nearer to 1 has no hogs.
    const auto [lower, upper] = MiddleTwo(std::move(ratios));
    direction.ratio = lower > 1 ? lower : std::min(upper, 1.0);
    direction.seen = *direction.ratio <= kMaxRatio ? Seen::kYes : Seen::kNo;
  } else if (share * kMaxRatio < 1) {
    direction.seen = Seen::kNo;
  }
  if (direction.seen == Seen::kNo) {
    direction.disk = share;
  } else {
    direction.net = std::max(1.0, direction.ratio.value_or(1));
  }
}

bool IsAny(std::span<const FlowDirection> all, Seen seen) {
  return std::ranges::any_of(
      all, [seen](const FlowDirection& direction) { return direction.seen == seen; });
}

}  // namespace

bool IsTraffic(const Sides& sides) { return sides.network > std::max(kMinTraffic, sides.headers); }

bool IsGroupIdle(std::span<const FlowDirection> all) {
  return !IsAny(all, Seen::kYes) && !IsAny(all, Seen::kNo);
}

bool DoesNetworkExplain(double median_disk, std::vector<double> networks) {
  return median_disk > kQuiet && kMaxRatio * TypicalOf(std::move(networks), 0) >= median_disk;
}

bool IsGroupExplained(std::span<const FlowDirection> all, const FlowDirection& one) {
  if (one.seen != Seen::kIdle) {
    return one.seen == Seen::kYes;
  }
  if (!IsGroupIdle(all)) {
    return IsAny(all, Seen::kYes);
  }
  std::vector<double> disks(one.sides.size());
  std::vector<double> networks(one.sides.size());
  for (const auto& direction : all) {
    for (std::size_t i = 0; i < direction.sides.size(); ++i) {
      disks[i] += direction.sides[i] ? direction.sides[i]->disks : 0;
      networks[i] += direction.sides[i] ? direction.sides[i]->network : 0;
    }
  }
  return DoesNetworkExplain(TypicalOf(std::move(disks), 0), std::move(networks));
}

FlowDirection MeasureDirection(std::span<const MetricRow> metrics, std::size_t metric,
                               std::span<MemberSamples> samples) {
  const bool sends = metrics[metric].checklist.symptom == Symptom::kUnsent;
  FlowDirection direction{
      .metric = metric,
      .network = FindNetwork(metrics, metrics[metric].formula),
      .writes = !sends,
      .own = sends ? OwnBytesSent(metrics, samples) : OwnBytesReceived(samples.size()),
      .sides = {}};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto disk = samples[i].metrics.Of(metric);
    const auto net = samples[i].metrics.Of(direction.network);
    auto& sides = direction.sides.emplace_back();
    // With a hole, places are not times any more.
    if (disk.size() != net.size() || disk.empty()) {
      DropMetric(samples[i], metric);
      continue;
    }
    sides = {.disks = Mean(disk),
             .network = direction.own.own[i] * Mean(net),
             .moved = Mean(net),
             .clients = direction.own.clients[i] * Mean(net),
             .headers = kHeaders * BusierDirection(metrics, samples[i])};
  }
  Weigh(direction);
  return direction;
}

}  // namespace limpet
