#include "diagnoser/detect/loss/segment_sums.h"

#include <algorithm>
#include <span>
#include <utility>

namespace limpet {
namespace {

SegmentTotals AddUp(std::span<const SegmentTotals> some) {
  SegmentTotals sum;
  MeanTrip trip;
  for (const auto& one : some) {
    sum.sent += one.sent;
    sum.retransmitted += one.retransmitted;
    trip.Add(one.sent, one.round_trip);
  }
  sum.round_trip = trip.Value();
  return sum;
}

// The least of the shares of the quarters of the seconds, by round-trip time; nullopt where one has
// too few segments to say.
std::optional<double> LeastShare(std::vector<SegmentTotals> each) {
  std::ranges::stable_sort(each, {}, &SegmentTotals::round_trip);
  double least = 1;
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    const auto begin = quarter * each.size() / 4;
    const auto end = (quarter + 1) * each.size() / 4;
    const auto share = RetransmittedShare(AddUp(std::span(each).subspan(begin, end - begin)));
    if (!share) {
      return std::nullopt;
    }
    least = std::min(least, *share);
  }
  return least;
}

}  // namespace

SegmentTotals SumSeconds(std::vector<SegmentTotals> each) {
  auto totals = AddUp(each);
  if (each.size() < 4) {
    return totals;
  }
  std::ranges::stable_sort(each, {}, &SegmentTotals::sent);
  const auto quiet = AddUp(std::span(each).first((each.size() + 1) / 2));
  std::ranges::stable_sort(each, {}, &SegmentTotals::retransmitted);
  const auto usual = AddUp(std::span(each).first(each.size() - each.size() / 4));
  for (const auto& part : {usual, quiet}) {
    if (const auto share = RetransmittedShare(part)) {
      totals.steady = std::min(totals.steady, *share);
    }
  }
  totals.least = LeastShare(std::move(each));
  return totals;
}

}  // namespace limpet
