#include "diagnoser/detect/loss/retransmissions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet {

namespace {

// Of ascending values without the one at `place`; at least two values.
double MedianWithout(std::span<const double> sorted, std::size_t place) {
  const auto at = [&](std::size_t i) { return sorted[i < place ? i : i + 1]; };
  const auto count = sorted.size() - 1;
  return count % 2 == 1 ? at(count / 2) : (at(count / 2 - 1) + at(count / 2)) / 2;
}

// What servers carry, and how long their ways take, ascending.
class Loads {
 public:
  explicit Loads(std::span<const SegmentTotals> servers) {
    for (const auto& server : servers) {
      sent_.push_back(server.sent);
      if (server.round_trip) {
        trips_.push_back(*server.round_trip);
      }
    }
    std::sort(sent_.begin(), sent_.end());
    std::sort(trips_.begin(), trips_.end());
  }
  // One of them, which carries more over slower ways than the others.
  [[nodiscard]] bool FillQueue(const SegmentTotals& server) const {
    if (!server.round_trip || trips_.size() < kMinPeers) {
      return false;
    }
    const double trip = OfOthers(trips_, *server.round_trip);
    return trip > 0 && *server.round_trip >= kOverflowTimesRoundTrip * trip &&
           server.sent >= kOverflowTimesSent * OfOthers(sent_, server.sent);
  }

 private:
  static double OfOthers(std::span<const double> sorted, double own) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), own) - sorted.begin();
    return MedianWithout(sorted, static_cast<std::size_t>(place));
  }

  std::vector<double> sent_;
  std::vector<double> trips_;
};

using Sides = std::array<LossTotals, 2>;

// A PairLoss by places; nullopt for an end without a share of its own.
struct Link {
  std::array<std::optional<std::size_t>, 2> ends;  // by side
  double retransmitted = 0;
  bool explained = false;
};

// What servers lose to each other, with the way from each server to its own: where many lose, pairs
// are as many as the square of the servers.
class Links {
 public:
  Links(const Sides& sides, std::span<const PairLoss> pairs) {
    std::array<std::unordered_map<std::string_view, std::size_t>, 2> places;
    for (std::size_t side = 0; side < sides.size(); ++side) {
      const auto& servers = sides[side].servers;
      of_[side].resize(servers.size());
      for (std::size_t place = 0; place < servers.size(); ++place) {
        places[side].emplace(servers[place], place);
      }
    }
    const auto find = [&](std::size_t side, const std::string& server) {
      const auto found = places[side].find(server);
      return found == places[side].end() ? std::nullopt : std::optional(found->second);
    };
    links_.reserve(pairs.size());
    for (const auto& pair : pairs) {
      Link link{.ends = {}, .retransmitted = pair.retransmitted};
      link.ends[kReceiving] = find(kReceiving, pair.receiver);
      link.ends[kSending] = find(kSending, pair.sender);
      for (std::size_t side = 0; side < link.ends.size(); ++side) {
        if (const auto place = link.ends[side]) {
          of_[side][*place].push_back(links_.size());
        }
      }
      links_.push_back(link);
    }
  }

  [[nodiscard]] bool HasUnexplained(std::size_t side, std::size_t place) const {
    return std::ranges::any_of(of_[side][place],
                               [&](std::size_t link) { return !links_[link].explained; });
  }

  // All that are left of a server are its doing: `take` gets the other end's place, and how many.
  template <class TakeFromOther>
  void Explain(std::size_t side, std::size_t place, const TakeFromOther& take) {
    for (const std::size_t number : of_[side][place]) {
      auto& link = links_[number];
      const auto other = link.ends[1 - side];
      if (!link.explained && other) {
        take(*other, link.retransmitted);
      }
      link.explained = true;
    }
  }

 private:
  std::vector<Link> links_;
  std::array<std::vector<std::vector<std::size_t>>, 2> of_;  // by side and place
};

struct Worst {
  std::size_t side = 0;
  std::size_t place = 0;
  double degree = 0;
};

// Of those above their peers that lose to somebody by what is not explained yet.
std::optional<Worst> FindWorst(const Sides& sides, const Links& links) {
  std::optional<Worst> worst;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const auto loss = CompareRetransmissions(sides[side].totals);
    for (std::size_t place = 0; place < loss.elevated.size(); ++place) {
      const double degree = loss.comparison.degree[place];
      if (loss.elevated[place] && (!worst || degree > worst->degree) &&
          links.HasUnexplained(side, place)) {
        worst = {.side = side, .place = place, .degree = degree};
      }
    }
  }
  return worst;
}

void Take(SegmentTotals& from, double retransmitted) {
  const double left = std::max(0.0, from.retransmitted - retransmitted);
  const double part = from.retransmitted > 0 ? left / from.retransmitted : 1;
  from.steady *= part;
  from.least *= part;
  from.retransmitted = left;
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

bool Overflows(std::span<const SegmentTotals> servers, std::size_t place) {
  return Loads(servers).FillQueue(servers[place]);
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
  const Loads loads(servers);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    double share = SteadyShare(servers[i]);
    // Without the server itself: of three, one sick server would be a third of the median.
    const auto place = static_cast<std::size_t>(
        std::lower_bound(sorted.begin(), sorted.end(), result.mean[i]) - sorted.begin());
    const double others = MedianWithout(sorted, place);
    const double elevated = std::max(kLossyShare, kElevatedTimesPeers * others);
    if (share > elevated && loads.FillQueue(servers[i])) {
      share = std::min(share, servers[i].least);
    }
    const bool enough = servers[i].retransmitted >= kMinRetransmitted;
    result.s.push_back(enough ? share / std::max(kLossyShare, kTimesPeers * others) : 0);
    loss.elevated.push_back(enough && share > elevated);
    result.direction.push_back(result.mean[i] < result.median_mean ? Direction::kLow
                                                                   : Direction::kHigh);
  }
  result.degree = result.s;
  return loss;
}

void ExplainAway(std::array<LossTotals, 2>& sides, std::span<const PairLoss> pairs) {
  Links links(sides, pairs);
  while (const auto worst = FindWorst(sides, links)) {
    auto& others = sides[1 - worst->side].totals;
    links.Explain(worst->side, worst->place, [&](std::size_t other, double retransmitted) {
      Take(others[other], retransmitted);
    });
  }
}

}  // namespace limpet
