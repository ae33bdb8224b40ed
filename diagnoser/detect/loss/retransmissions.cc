#include "diagnoser/detect/loss/retransmissions.h"

#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet {

namespace {

struct Limits {
  double lossy_share = kLossyShare;
  double healthy_share = kHealthyShare;
  double min_segments = kMinSegments;
};

Limits LimitsOf(const SegmentTotals& totals) {
  if (totals.rdma) {
    return {.lossy_share = kRdmaLossyShare,
            .healthy_share = kRdmaHealthyShare,
            .min_segments = kMinRdmaPackets};
  }
  return totals.whole_node
             ? Limits{.lossy_share = kNodeLossyShare, .min_segments = kMinNodeSegments}
             : Limits();
}

// The same of several servers, each of which is asked what the others have.
class OfServers {
 public:
  explicit OfServers(std::vector<double> values) : values_(std::move(values)) {
    std::sort(values_.begin(), values_.end());
  }
  [[nodiscard]] std::span<const double> Sorted() const { return values_; }
  // Of the others, without the server itself: of three, one sick server would be a third of the
  // median. At least two values.
  [[nodiscard]] double MedianBeside(double own) const {
    const auto place = static_cast<std::size_t>(
        std::lower_bound(values_.begin(), values_.end(), own) - values_.begin());
    const auto at = [&](std::size_t i) { return values_[i < place ? i : i + 1]; };
    const auto count = values_.size() - 1;
    return count % 2 == 1 ? at(count / 2) : (at(count / 2 - 1) + at(count / 2)) / 2;
  }

 private:
  std::vector<double> values_;
};

template <class Function>
OfServers Collect(std::span<const SegmentTotals> servers, const Function& value) {
  std::vector<double> values;
  for (const auto& server : servers) {
    if (const std::optional<double> one = value(server)) {
      values.push_back(*one);
    }
  }
  return OfServers(std::move(values));
}

// What servers carry, how long their ways take, and what those always lose.
class Loads {
 public:
  explicit Loads(std::span<const SegmentTotals> servers)
      : sent_(Collect(servers, [](const auto& server) { return server.sent; })),
        trips_(Collect(servers, [](const auto& server) { return server.round_trip; })),
        least_(Collect(servers, [](const auto& server) {
          return server.round_trip ? std::optional(MostAlways(server)) : std::nullopt;
        })) {}
  // One of them, which carries more over slower ways than the others.
  [[nodiscard]] bool FillQueue(const SegmentTotals& server) const {
    return WayBesideOthers(server) >= kOverflowTimesRoundTrip &&
           server.sent >= kOverflowTimesSent * sent_.MedianBeside(server.sent);
  }
  // The others' median of `least`; nullopt where this server's own says nothing, since nobody knows
  // how long its queue is, or it is a long one.
  [[nodiscard]] std::optional<double> OthersAlwaysLose(const SegmentTotals& server) const {
    return WayBesideOthers(server) <= kLongTimesRoundTrip
               ? std::optional(least_.MedianBeside(MostAlways(server)))
               : std::nullopt;
  }

 private:
  // With too few segments to tell, it may lose all its share always.
  static double MostAlways(const SegmentTotals& server) {
    return server.least.value_or(SteadyShare(server));
  }
  // Its round trips, of the others' median; NaN: nobody knows.
  [[nodiscard]] double WayBesideOthers(const SegmentTotals& server) const {
    if (!server.round_trip || trips_.Sorted().size() < kMinPeers) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const double trip = trips_.MedianBeside(*server.round_trip);
    return trip > 0 ? *server.round_trip / trip : 0;
  }

  OfServers sent_;
  OfServers trips_;
  OfServers least_;
};

// What all servers send, and send again: shares of a few hundred segments are coarse, most are 0.
class Pool {
 public:
  explicit Pool(std::span<const SegmentTotals> servers) {
    for (const auto& server : servers) {
      sent_ += server.sent;
      again_ += server.retransmitted;
      const double worst = worst_ == nullptr ? 0 : worst_->retransmitted;
      if (server.retransmitted > worst) {
        second_ = worst_;
        worst_ = &server;
      } else if (second_ == nullptr || server.retransmitted > second_->retransmitted) {
        second_ = &server;
      }
    }
  }
  // Without the worst of the others, which may be sick as well.
  [[nodiscard]] double OthersShare(const SegmentTotals& server) const {
    const auto* const left_out = &server == worst_ ? second_ : worst_;
    const double sent = sent_ - server.sent - (left_out == nullptr ? 0 : left_out->sent);
    const double again =
        again_ - server.retransmitted - (left_out == nullptr ? 0 : left_out->retransmitted);
    return sent > 0 ? again / sent : 0;
  }
  [[nodiscard]] bool IsChance(const SegmentTotals& server) const {
    if (server.retransmitted < kMinRetransmitted) {
      return true;
    }
    // Poisson's probability of so many or more.
    const double expected =
        server.sent * std::max(LimitsOf(server).healthy_share, OthersShare(server));
    return boost::math::gamma_p(server.retransmitted, expected) > kChance;
  }

 private:
  double sent_ = 0;
  double again_ = 0;
  const SegmentTotals* worst_ = nullptr;
  const SegmentTotals* second_ = nullptr;
};

// A share beside what the others have.
struct Excess {
  double degree = 0;
  bool elevated = false;

  void Raise(const Excess& other) {
    degree = std::max(degree, other.degree);
    elevated = elevated || other.elevated;
  }
};

Excess BesideMedian(double share, double others, double least) {
  return {.degree = share / std::max(least, kTimesPeers * others),
          .elevated = share > std::max(least, kElevatedTimesPeers * others)};
}

// By how many times the range of the others the share is above the highest of them.
Excess AboveRange(double share, double lowest, double highest) {
  if (share < kElevatedTimesPeers * highest) {
    return {};
  }
  return {.degree = (share - highest) / std::max(kLossyShare, highest - lowest),
          .elevated = share > kLossyShare};
}

// What a server loses, as a peer of others.
double ShareAsPeer(const SegmentTotals& server) {
  return std::max(RetransmittedShare(server).value_or(0), server.usual);
}

double SteadyAsPeer(const SegmentTotals& server) {
  return std::min(server.usual, server.usual_steady);
}

// One window of one side.
class Losses {
 public:
  explicit Losses(std::span<const SegmentTotals> servers)
      : servers_(servers),
        shares_(Collect(servers, [](const auto& server) { return ShareAsPeer(server); })),
        steady_(Collect(servers, [](const auto& server) { return SteadyAsPeer(server); })),
        loads_(servers),
        pool_(servers) {}

  [[nodiscard]] Excess Grade(const SegmentTotals& server) const {
    if (pool_.IsChance(server)) {
      return {};
    }
    const double share = ShareAsPeer(server);
    const double others = shares_.MedianBeside(share);
    const double steady = SteadyBeside(server, others);
    const double always = std::min(steady, server.least.value_or(0));
    const double least = LimitsOf(server).lossy_share;
    auto excess = BesideMedian(steady, others, least);
    if (excess.elevated && loads_.FillQueue(server)) {
      return BesideMedian(
          always, std::max({others, HighestOfFullQueues(server), kFullQueueShare / kTimesPeers}),
          least);
    }
    if (const auto others_always = loads_.OthersAlwaysLose(server)) {
      excess.Raise(BesideMedian(always, *others_always, least));
      const auto sorted = shares_.Sorted();
      if (sorted.size() > kMinRange && share == sorted.back()) {
        excess.Raise(AboveRange(steady, sorted.front(), sorted[sorted.size() - 2]));
      }
    }
    return excess;
  }

 private:
  [[nodiscard]] double SteadyBeside(const SegmentTotals& server, double others) const {
    const double share = SteadyShare(server);
    const bool unknown = server.steady >= SegmentTotals::kSteadyUnknown;
    return unknown && LoseInBursts(server, others) ? std::min(share, server.usual_steady) : share;
  }
  // Of the others, whose median share is known.
  [[nodiscard]] bool LoseInBursts(const SegmentTotals& but, double others) const {
    return others > LimitsOf(but).healthy_share &&
           steady_.MedianBeside(SteadyAsPeer(but)) < others / 2;
  }
  // Of the other servers that fill the queue before them.
  [[nodiscard]] double HighestOfFullQueues(const SegmentTotals& but) const {
    double highest = 0;
    for (const auto& server : servers_) {
      if (&server != &but && loads_.FillQueue(server)) {
        highest = std::max(highest, SteadyShare(server));
      }
    }
    return highest;
  }

  std::span<const SegmentTotals> servers_;
  OfServers shares_;
  OfServers steady_;
  Loads loads_;
  Pool pool_;
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
  for (double* const steady : {&from.steady, &from.usual_steady}) {
    *steady *= *steady < SegmentTotals::kSteadyUnknown ? part : 1;
  }
  from.usual *= part;
  if (from.least) {
    *from.least *= part;
  }
  from.retransmitted = left;
}

}  // namespace

std::optional<double> RetransmittedShare(const SegmentTotals& totals) {
  if (totals.sent < LimitsOf(totals).min_segments) {
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
  const Losses losses(servers);
  const OfServers shares(result.mean);
  result.lo = shares.Sorted().front();
  result.hi = shares.Sorted().back();
  result.median_mean = SortedQuantile(shares.Sorted(), 0.5);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const auto excess = losses.Grade(servers[i]);
    result.s.push_back(excess.degree);
    loss.elevated.push_back(excess.elevated);
    result.direction.push_back(result.mean[i] < result.median_mean ? Direction::kLow
                                                                   : Direction::kHigh);
  }
  result.degree = result.s;
  return loss;
}

void LeaveToEnd(SegmentTotals& totals, const EndLoss& loss) {
  if (loss.own.sent <= 0 || !RetransmittedShare(loss.rest)) {
    return;
  }
  const double half = loss.rest.sent * loss.own.retransmitted / loss.own.sent / 2;
  // Poisson's probability of as few or fewer.
  if (boost::math::gamma_q(loss.rest.retransmitted + 1, half) < kChance) {
    Take(totals, loss.own.retransmitted);
  }
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
