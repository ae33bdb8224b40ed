#include "diagnoser/detect/loss/retransmissions.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet::retransmissions_test {
namespace {

using ::testing::Each;

TEST(Retransmissions, AShareNeedsEnoughSegments) {
  EXPECT_EQ(RetransmittedShare({.sent = 99, .retransmitted = 50}), std::nullopt);
  EXPECT_EQ(RetransmittedShare({.sent = 1000, .retransmitted = 10}), 0.01);
  EXPECT_EQ(RetransmittedShare({.sent = 100, .retransmitted = 101}), 1) << "read at two instants";
}

TEST(Retransmissions, OnePercentBesideHealthyPeersIsLossy) {
  const std::vector<SegmentTotals> servers = {{1000, 0}, {1000, 10}, {1000, 1}};
  const auto result = CompareRetransmissions(servers).comparison;
  ASSERT_FALSE(result.undetermined);
  EXPECT_DOUBLE_EQ(result.degree[1], 4) << "1 % over five times the median 0.05 % of the others";
  EXPECT_LT(result.degree[2], 1);
  EXPECT_EQ(result.direction[1], Direction::kHigh);
  EXPECT_DOUBLE_EQ(result.median_mean, 0.001);
}

TEST(Retransmissions, LossOnEverybodysWayIsNobodysFault) {
  const std::vector<SegmentTotals> servers = {
      {1000, 30}, {1000, 25}, {1000, 40}, {1000, 20}, {1000, 35}};
  EXPECT_THAT(CompareRetransmissions(servers).comparison.degree, Each(::testing::Lt(1)));
}

TEST(Retransmissions, TwiceTheOthersShareIsElevated) {
  const std::vector<SegmentTotals> servers = {{10000, 20}, {10000, 50}, {10000, 20}, {100, 2}};
  EXPECT_THAT(CompareRetransmissions(servers).elevated,
              ::testing::ElementsAre(false, true, false, false));
}

TEST(Retransmissions, WhatOverflowsWhileMostIsSentIsNoLoss) {
  std::vector<SegmentTotals> servers = {{10000, 0}, {10000, 0}, {10000, 200, 0.001}};
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[2], 1);
  EXPECT_FALSE(CompareRetransmissions(servers).elevated[2]);
  servers[2].steady = 0.03;
  EXPECT_DOUBLE_EQ(CompareRetransmissions(servers).comparison.degree[2], 10);
  servers[0] = servers[1] = {10000, 100, 0};
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[2], 1)
      << "what its peers lose counts whole";
}

// Measured on Ceph under writes beside a network hog: bursts of some 40 segments overflow now this
// queue, now that one, and in four seconds most servers have none.
TEST(Retransmissions, WhatPeersHaveLostBeforeCountsForThem) {
  std::vector<SegmentTotals> servers = {
      {1000, 0}, {1000, 0}, {1000, 1}, {1000, 23, 0.02}, {1000, 0}};
  EXPECT_GT(CompareRetransmissions(servers).comparison.degree[3], 3);
  for (auto& server : servers) {
    server.usual = 0.006;
  }
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[3], 1);
  EXPECT_DOUBLE_EQ(CompareRetransmissions(servers).comparison.median_mean, 0);
  servers[3].steady = 0.05;
  servers[3].retransmitted = 50;
  EXPECT_GT(CompareRetransmissions(servers).comparison.degree[3], 1);
  servers[3] = {1000, 0, 1};
  servers[3].usual = 0.05;
  EXPECT_EQ(CompareRetransmissions(servers).comparison.degree[3], 0)
      << "one's own past is no loss of now";
}

// Measured on a healthy MooseFS whose links are full of what is written: nearly all is sent within
// one second of four, and who overflows then seems to lose steadily.
TEST(Retransmissions, BesideQueuesThatOverflowOneSecondIsNotSteady) {
  std::vector<SegmentTotals> servers = {
      {1011, 53, 1, 0.056, {}, 0.0127, 0}, {2266, 43, 1, 0.0522, {}, 0.0156, 0.0006},
      {840, 0, 1, 0.0075, {}, 0, 0},       {1055, 0, 1, 0.0141, {}, 0.0025, 0.002},
      {198, 0, 1, 0.0135, {}, 0, 0},       {1201, 0, 1, 0.0599, {}, 0.0015, 0.0004}};
  const auto degrees = [&] { return CompareRetransmissions(servers).comparison.degree; };
  EXPECT_THAT(degrees(), Each(::testing::Lt(1)));
  servers[0].usual_steady = 0.04;
  EXPECT_GT(degrees()[0], 5) << "for longer it is";
  servers[0].usual_steady = 0;
  servers[0].steady = 0.04;
  EXPECT_GT(degrees()[0], 5) << "it is known to be";
  servers[0].steady = 1;
  for (std::size_t i = 1; i < servers.size(); ++i) {
    servers[i].usual_steady = 1;
  }
  EXPECT_GT(degrees()[0], 5) << "a way that loses, beside ways that lose a little";
}

// Measured on MooseFS: one server with twice the files, whose link's queue was full under writes.
TEST(Retransmissions, OfWhoOverflowsOnlyWhatIsAlwaysLostCounts) {
  std::vector<SegmentTotals> servers = {{4680, 11, 1, 0.013},
                                        {8388, 22, 1, 0.004},
                                        {10522, 42, 1, 0.025},
                                        {32296, 1508, 1, 0.079, 0.0003}};
  EXPECT_TRUE(Overflows(servers, 3));
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[3], 1);
  EXPECT_FALSE(CompareRetransmissions(servers).elevated[3]);
  EXPECT_DOUBLE_EQ(CompareRetransmissions(servers).comparison.mean[3], 1508.0 / 32296)
      << "it is told all the same";
  servers[3] = {35424, 2590, 1, 0.057, 0.059};  // the same, and its way loses 5 %
  EXPECT_TRUE(Overflows(servers, 3));
  EXPECT_GT(CompareRetransmissions(servers).comparison.degree[3], 1.4);
}

// A MooseFS whose clients wait for one server with a slow disk, and for another that has copies of
// the same chunks.
TEST(Retransmissions, AQueueThatIsNeverEmptyIsComparedWithTheOthersThatAreFull) {
  std::vector<SegmentTotals> servers = {{1366, 4, 1, 0.006},          {1610, 9, 1, 0.008},
                                        {9063, 352, 1, 0.037, 0.034}, {8085, 499, 1, 0.041, 0.055},
                                        {2068, 7, 1, 0.009},          {2401, 42, 1, 0.006}};
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[2], 1);
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[3], 1);
  servers[3] = {2085, 4, 1, 0.008};  // only one of them
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[2], 1) << "3 % always";
  servers[2] = {9063, 543, 1, 0.037, 0.05};
  EXPECT_GT(CompareRetransmissions(servers).comparison.degree[2], 1);
}

TEST(Retransmissions, SlowerWaysOrMoreLoadAloneExplainNoLoss) {
  std::vector<SegmentTotals> servers = {
      {4000, 0, 1, 0.01}, {4000, 0, 1, 0.01}, {4000, 0, 1, 0.01}, {5900, 200, 1, 0.04}};
  EXPECT_FALSE(Overflows(servers, 3)) << "clients wait for what was lost";
  servers[3] = {20000, 1000, 1, 0.019};
  EXPECT_FALSE(Overflows(servers, 3)) << "the link can do it";
  servers[3].round_trip = 0.02;
  EXPECT_TRUE(Overflows(servers, 3));
}

TEST(Retransmissions, WithoutRoundTripsNothingOverflows) {
  std::vector<SegmentTotals> servers = {{4000, 0}, {4000, 0}, {4000, 0}, {20000, 1000, 1, 0.04}};
  EXPECT_FALSE(Overflows(servers, 3)) << "the others' are not known";
  servers[0].round_trip = 0.01;
  EXPECT_FALSE(Overflows(servers, 3)) << "one is no median";
  servers[1].round_trip = 0.01;
  EXPECT_TRUE(Overflows(servers, 3));
  servers[3].round_trip = std::nullopt;
  EXPECT_FALSE(Overflows(servers, 3));
}

// Queues drop in bursts, and in some quarter of the seconds next to nothing; a lossy way always
// loses.
// Measured on a healthy MooseFS on an overloaded machine: all lose in every second, and only the
// busiest server sends enough for that to be known of it.
TEST(Retransmissions, WhoSendsTooLittleToTellMayAlwaysLoseToo) {
  std::vector<SegmentTotals> servers = {
      {1102, 19, 0.013, 0.010, {}}, {1231, 7, 0.002, 0.018, {}},     {469, 9, 0.012, 0.010, {}},
      {878, 12, 0.008, 0.013, {}},  {1597, 31, 0.016, 0.009, 0.013}, {673, 2, 0.003, 0.013, {}}};
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[4], 1);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    servers[i].least = i == 4 ? 0.013 : 0;
  }
  EXPECT_GT(CompareRetransmissions(servers).comparison.degree[4], 6) << "they are known not to";
}

TEST(Retransmissions, WhatIsAlwaysLostStandsOutAmongQueuesThatOverflow) {
  std::vector<SegmentTotals> servers(6, {10000, 120, 1, 0.004, 0});
  servers[2] = {10000, 170, 0.017, 0.004, 0.008};
  const auto loss = CompareRetransmissions(servers);
  EXPECT_DOUBLE_EQ(loss.comparison.degree[2], 4) << "0.8 % beside nothing, whatever the peers' 1.2";
  EXPECT_TRUE(loss.elevated[2]);
  servers[2].round_trip = std::nullopt;
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[2], 1) << "is its queue full?";
  servers[2].round_trip = 0.008;
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[2], 1) << "it is";
  servers[2].round_trip = 0.004;
  for (auto& server : servers) {
    server.least = 0.008;
  }
  EXPECT_LT(CompareRetransmissions(servers).comparison.degree[2], 1) << "so do all";
}

// Measured without a fault, on a MooseFS whose links are full of what is written: who has most of
// the chunks has the longest queues, though not twice the others'.
TEST(Retransmissions, ALongQueueThatIsNeverEmptyIsNoLoss) {
  std::vector<SegmentTotals> servers = {{25695, 754, 0.0080, 0.0645, 0.0003, 0.0288},
                                        {26255, 869, 0.0140, 0.0667, 0.0051, 0.0296},
                                        {9979, 0, 0, 0.0169, 0, 0},
                                        {12818, 0, 0, 0.0156, 0, 0.0001},
                                        {20848, 119, 0, 0.0353, 0.0002, 0.0052},
                                        {22229, 207, 0.0016, 0.0467, 0, 0.0081}};
  EXPECT_THAT(CompareRetransmissions(servers).comparison.degree, Each(::testing::Lt(1)));
  servers[1].round_trip = 0.036;
  EXPECT_GT(CompareRetransmissions(servers).comparison.degree[1], 2) << "its way is not longer";
}

// Measured on Ceph on an overloaded machine: whatever the cause, all lose between 0.9 and 1.9 %.
TEST(Retransmissions, ALossAddsToWhatAllLose) {
  std::vector<SegmentTotals> servers = {{1200, 11, 1, 0.006, 0.003}, {1200, 17, 1, 0.006, 0.006},
                                        {1200, 23, 1, 0.006, 0.008}, {1200, 16, 1, 0.006, 0.007},
                                        {1200, 15, 1, 0.006, 0.007}, {1200, 66, 0.05, 0.004, 0.02}};
  const auto degrees = [&] { return CompareRetransmissions(servers).comparison.degree; };
  EXPECT_NEAR(degrees()[5], (0.05 - 23.0 / 1200) / (12.0 / 1200), 1e-9);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_LT(degrees()[i], 1);
  }
  servers[5].steady = 0.038;
  EXPECT_LT(degrees()[5], 1) << "less than twice the highest";
  servers[5].steady = 0.05;
  servers[5].round_trip = 0.012;
  EXPECT_LT(degrees()[5], 1) << "its queue may be full";
  servers[5].round_trip = 0.004;
  servers.erase(servers.begin(), servers.begin() + 2);
  EXPECT_LT(degrees()[3], 1) << "three have no range to speak of";
}

TEST(Retransmissions, FewSegmentsSentAgainAreChance) {
  std::vector<SegmentTotals> servers = {{100, 2}, {100, 0}, {100, 0}, {100, 0}};
  const auto degrees = [&] { return CompareRetransmissions(servers).comparison.degree; };
  EXPECT_THAT(degrees(), Each(0));
  servers[0].retransmitted = 3;
  EXPECT_GT(degrees()[0], 1) << "a way that loses 0.05 % does so once in 50,000 windows";
  servers = {{1000, 3}, {1000, 0}, {1000, 0}, {1000, 0}};
  EXPECT_EQ(degrees()[0], 0) << "and this once in 70";
  servers[0].retransmitted = 6;
  EXPECT_GT(degrees()[0], 1);
  servers[1].retransmitted = servers[2].retransmitted = 1;
  EXPECT_GT(degrees()[0], 1) << "one of the others may be sick as well, one in 2,000 is healthy";
}

TEST(Retransmissions, TwoServersSayNothing) {
  const std::vector<SegmentTotals> servers = {{1000, 100}, {1000, 0}};
  const auto result = CompareRetransmissions(servers).comparison;
  EXPECT_TRUE(result.undetermined);
  EXPECT_THAT(result.mean, ::testing::ElementsAre(0.1, 0));
}

LossTotals Even(double sent) {
  return {.servers = {"a", "b", "c", "d"}, .totals = std::vector<SegmentTotals>(4, {sent, 0})};
}

std::vector<double> Shares(const LossTotals& side) {
  return CompareRetransmissions(side.totals).comparison.mean;
}

// Replicas: "d" loses 5 % of what all others send it.
TEST(Retransmissions, WhatAServerDoesNotReceiveIsNotItsSendersFault) {
  std::array<LossTotals, 2> sides = {Even(3000), Even(3000)};
  std::vector<PairLoss> pairs;
  for (std::size_t i = 0; i < 3; ++i) {
    pairs.push_back({.sender = sides[kSending].servers[i], .receiver = "d", .retransmitted = 50});
    sides[kSending].totals[i].retransmitted = 50;
  }
  sides[kReceiving].totals[3].retransmitted = 150;
  ExplainAway(sides, pairs);
  EXPECT_THAT(Shares(sides[kSending]), Each(0));
  EXPECT_THAT(Shares(sides[kReceiving]), ::testing::ElementsAre(0, 0, 0, 0.05));
}

TEST(Retransmissions, WhatAServerDoesNotSendIsNotItsReceiversFault) {
  std::array<LossTotals, 2> sides = {Even(3000), Even(3000)};
  std::vector<PairLoss> pairs;
  for (std::size_t i = 1; i < 4; ++i) {
    pairs.push_back({.sender = "a", .receiver = sides[kReceiving].servers[i], .retransmitted = 50});
    sides[kReceiving].totals[i].retransmitted = 50;
  }
  sides[kSending].totals[0].retransmitted = 150;
  ExplainAway(sides, pairs);
  EXPECT_THAT(Shares(sides[kReceiving]), Each(0));
  EXPECT_THAT(Shares(sides[kSending]), ::testing::ElementsAre(0.05, 0, 0, 0));
}

TEST(Retransmissions, WhoLosesToClientsTooIsStillNamed) {
  std::array<LossTotals, 2> sides = {Even(3000), Even(3000)};
  sides[kReceiving].totals[3].retransmitted = 150;
  sides[kSending].totals[0].retransmitted = 50 + 60;  // 60 of them to clients
  ExplainAway(sides, std::vector<PairLoss>{{"a", "d", 50}});
  EXPECT_THAT(Shares(sides[kSending]), ::testing::ElementsAre(0.02, 0, 0, 0));
}

// Each of the others loses to each lossy one: their number must not be paid for by each pair again.
TEST(Retransmissions, ManyWhoLoseAreAllNamedAndNobodyElse) {
  constexpr std::size_t kServers = 300;
  constexpr std::size_t kLossy = 100;
  std::array<LossTotals, 2> sides;
  for (auto& side : sides) {
    for (std::size_t i = 0; i < kServers; ++i) {
      side.servers.push_back(std::to_string(i));
    }
    side.totals.assign(kServers, {.sent = 20'000, .retransmitted = 0});
  }
  std::vector<PairLoss> pairs;
  for (std::size_t sender = kLossy; sender < kServers; ++sender) {
    for (std::size_t receiver = 0; receiver < kLossy; ++receiver) {
      pairs.push_back({std::to_string(sender), std::to_string(receiver), 5});
      sides[kSending].totals[sender].retransmitted += 5;
      sides[kReceiving].totals[receiver].retransmitted += 5;
    }
  }
  ExplainAway(sides, pairs);
  EXPECT_THAT(Shares(sides[kSending]), Each(0));
  const auto receiving = Shares(sides[kReceiving]);
  EXPECT_THAT(std::vector(receiving.begin(), receiving.begin() + kLossy), Each(0.05));
  EXPECT_THAT(std::vector(receiving.begin() + kLossy, receiving.end()), Each(0));
}

TEST(Retransmissions, NothingIsTakenFromAnybodyWhereNobodyLoses) {
  std::array<LossTotals, 2> sides = {Even(3000), Even(3000)};
  for (auto& side : sides) {
    for (auto& one : side.totals) {
      one.retransmitted = 30;
    }
  }
  ExplainAway(sides, std::vector<PairLoss>{{"a", "b", 30}});
  EXPECT_THAT(Shares(sides[kSending]), Each(0.01));
  EXPECT_THAT(Shares(sides[kReceiving]), Each(0.01));
}

// From the formula, term by term.
bool IsChance(const std::vector<SegmentTotals>& servers, std::size_t place) {
  double sent = 0;
  double again = 0;
  const SegmentTotals* worst = nullptr;
  for (const auto& one : servers) {
    if (&one != &servers[place]) {
      sent += one.sent;
      again += one.retransmitted;
      worst = worst == nullptr || one.retransmitted > worst->retransmitted ? &one : worst;
    }
  }
  const double others = (again - worst->retransmitted) / (sent - worst->sent);
  const double expected = servers[place].sent * std::max(kHealthyShare, others);
  double fewer = 0;
  for (double i = 0; i < servers[place].retransmitted; ++i) {
    fewer += std::exp(i * std::log(expected) - expected - std::lgamma(i + 1));
  }
  return servers[place].retransmitted < kMinRetransmitted || 1 - fewer > kChance;
}

TEST(Retransmissions, ADegreeIsTheShareOverTheLargerLimit) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<SegmentTotals> servers(3 + random() % 9);
    for (auto& one : servers) {
      one.sent = 100 + static_cast<double>(random() % 10'000);
      one.retransmitted = std::floor(one.sent * static_cast<double>(random() % 100) / 2000);
    }
    const auto result = CompareRetransmissions(servers).comparison;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      std::vector<double> others;
      for (std::size_t j = 0; j < servers.size(); ++j) {
        if (j != i) {
          others.push_back(*RetransmittedShare(servers[j]));
        }
      }
      const double limit = std::max(kLossyShare, kTimesPeers * Median(others));
      const double degree = IsChance(servers, i) ? 0 : *RetransmittedShare(servers[i]) / limit;
      ASSERT_DOUBLE_EQ(result.degree[i], degree) << "round " << round;
    }
  }
}

TEST(LeaveToEnd, WhatOneEndAloneLosesIsNotTheServers) {
  const auto left = [](double own_sent, double own, double rest_sent, double rest) {
    SegmentTotals totals{.sent = own_sent + rest_sent, .retransmitted = own + rest};
    LeaveToEnd(totals, {.own = {.sent = own_sent, .retransmitted = own},
                        .rest = {.sent = rest_sent, .retransmitted = rest}});
    return totals.retransmitted;
  };
  EXPECT_DOUBLE_EQ(left(1000, 50, 1000, 0), 0);
  EXPECT_DOUBLE_EQ(left(1000, 50, 1000, 3), 3);
  EXPECT_DOUBLE_EQ(left(1000, 50, 1000, 50), 100) << "all ends lose: it is the server";
  EXPECT_DOUBLE_EQ(left(1000, 50, 1000, 20), 70) << "half as much may be chance";
  EXPECT_DOUBLE_EQ(left(1000, 50, 90, 0), 50) << "too few to tell";
  EXPECT_DOUBLE_EQ(left(1000, 5, 1000, 0), 5) << "none of some may be chance";
  EXPECT_DOUBLE_EQ(left(1000, 50, 0, 0), 50) << "it has no other";
  EXPECT_DOUBLE_EQ(left(0, 0, 1000, 0), 0);
}

}  // namespace
}  // namespace limpet::retransmissions_test
