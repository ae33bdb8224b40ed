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

}  // namespace

std::optional<double> RetransmittedShare(const SegmentTotals& totals) {
  if (totals.sent < kMinSegments) {
    return std::nullopt;
  }
  // Counters of one page are read one after the other: a segment may be counted in one only.
  return std::min(1.0, totals.retransmitted / totals.sent);
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
    const double share = result.mean[i];
    // Without the server itself: of three, one sick server would be a third of the median.
    const auto place = static_cast<std::size_t>(
        std::lower_bound(sorted.begin(), sorted.end(), share) - sorted.begin());
    const double others = MedianWithout(sorted, place);
    const bool enough = servers[i].retransmitted >= kMinRetransmitted;
    result.s.push_back(enough ? share / std::max(kLossyShare, kTimesPeers * others) : 0);
    loss.elevated.push_back(enough && share > kLossyShare && share > kElevatedTimesPeers * others);
    result.direction.push_back(share < result.median_mean ? Direction::kLow : Direction::kHigh);
  }
  result.degree = result.s;
  return loss;
}

}  // namespace limpet
