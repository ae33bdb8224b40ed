#include "diagnoser/detect/loss/retransmissions.h"

#include <algorithm>
#include <vector>

#include "diagnoser/detect/stats.h"

namespace limpet {

namespace {

// Of ascending values without the one at `place`; at least two values.
double MedianWithout(std::span<const double> sorted, std::size_t place) {
  const auto at = [&](std::size_t i) { return sorted[i < place ? i : i + 1]; };
  const auto count = sorted.size() - 1;
  return count % 2 == 1 ? at(count / 2) : (at(count / 2 - 1) + at(count / 2)) / 2;
}

struct Worst {
  std::size_t side = 0;
  std::size_t place = 0;
  double degree = 0;
};

// Of those that are not `done`, above their peers and part of a pair.
std::optional<Worst> FindWorst(const std::array<LossTotals, 2>& sides,
                               std::span<const PairLoss> pairs,
                               const std::array<std::vector<bool>, 2>& done) {
  std::optional<Worst> worst;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const auto loss = CompareRetransmissions(sides[side].totals);
    for (std::size_t place = 0; place < loss.elevated.size(); ++place) {
      const double degree = loss.comparison.degree[place];
      const bool paired =
          std::ranges::any_of(pairs, [&, &name = sides[side].servers[place]](const PairLoss& pair) {
            return name == (side == kSending ? pair.sender : pair.receiver);
          });
      if (loss.elevated[place] && paired && !done[side][place] &&
          (!worst || degree > worst->degree)) {
        worst = {.side = side, .place = place, .degree = degree};
      }
    }
  }
  return worst;
}

void Take(LossTotals& from, const std::string& server, double retransmitted) {
  const auto found = std::ranges::find(from.servers, server);
  if (found != from.servers.end()) {
    auto& totals = from.totals[static_cast<std::size_t>(found - from.servers.begin())];
    const double left = std::max(0.0, totals.retransmitted - retransmitted);
    totals.steady *= totals.retransmitted > 0 ? left / totals.retransmitted : 1;
    totals.retransmitted = left;
  }
}

}  // namespace

std::optional<double> RetransmittedShare(const SegmentTotals& totals) {
  if (totals.sent < kMinSegments) {
    return std::nullopt;
  }
  // Counters of one page are read one after the other: a segment may be counted in one only.
  return std::min(1.0, totals.retransmitted / totals.sent);
}

double SteadyShare(const SegmentTotals& totals) {
  return std::min(totals.steady, RetransmittedShare(totals).value_or(0));
}

LossComparison CompareRetransmissions(std::span<const SegmentTotals> servers) {
  LossComparison loss;
  auto& result = loss.comparison;
  for (const auto& totals : servers) {
    result.mean.push_back(RetransmittedShare(totals).value_or(0));
  }
  if (servers.size() < kMinPeers) {
    return loss;
  }
  result.undetermined = false;
  auto sorted = result.mean;
  std::sort(sorted.begin(), sorted.end());
  result.lo = sorted.front();
  result.hi = sorted.back();
  result.median_mean = SortedQuantile(sorted, 0.5);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const double share = SteadyShare(servers[i]);
    // Without the server itself: of three, one sick server would be a third of the median.
    const auto place = static_cast<std::size_t>(
        std::lower_bound(sorted.begin(), sorted.end(), result.mean[i]) - sorted.begin());
    const double others = MedianWithout(sorted, place);
    const bool enough = servers[i].retransmitted >= kMinRetransmitted;
    result.s.push_back(enough ? share / std::max(kLossyShare, kTimesPeers * others) : 0);
    loss.elevated.push_back(enough && share > kLossyShare && share > kElevatedTimesPeers * others);
    result.direction.push_back(result.mean[i] < result.median_mean ? Direction::kLow
                                                                   : Direction::kHigh);
  }
  result.degree = result.s;
  return loss;
}

void ExplainAway(std::array<LossTotals, 2>& sides, std::vector<PairLoss> pairs) {
  std::array<std::vector<bool>, 2> done;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    done[side].resize(sides[side].servers.size());
  }
  while (const auto worst = FindWorst(sides, pairs, done)) {
    done[worst->side][worst->place] = true;
    const bool sends = worst->side == kSending;
    const auto& name = sides[worst->side].servers[worst->place];
    std::erase_if(pairs, [&](const PairLoss& pair) {
      const bool its = name == (sends ? pair.sender : pair.receiver);
      if (its) {
        Take(sides[sends ? kReceiving : kSending], sends ? pair.receiver : pair.sender,
             pair.retransmitted);
      }
      return its;
    });
  }
}

}  // namespace limpet
