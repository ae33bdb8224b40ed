#include "diagnoser/custom/histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace limpet::histogram_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
using Doubles = std::vector<double>;

TEST(HistogramTest, CountsKeepFiniteBoundsAndTheTotal) {
  const auto counts = MakeCounts(Doubles{1, 2, kInf}, Doubles{10, 30, 40}, 40);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->bounds, (Doubles{1, 2}));
  EXPECT_EQ(counts->at_most, (Doubles{10, 30}));
  EXPECT_EQ(counts->total, 40);
}

TEST(HistogramTest, BucketThatWasResetAloneMakesNoCounts) {
  EXPECT_FALSE(MakeCounts(Doubles{1, 2, kInf}, Doubles{100, 30, 100}, 100));
  EXPECT_FALSE(MakeCounts(Doubles{1, 2, kInf}, Doubles{100, 100, 10}, 10));
}

TEST(HistogramTest, PageWrittenWhileRequestsCompleteIsTaken) {
  const auto counts = MakeCounts(Doubles{1, 2, kInf}, Doubles{100, 99, 99}, 99);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->at_most, (Doubles{100, 100}));
  EXPECT_EQ(counts->total, 100);
}

TEST(HistogramTest, OneBoundIsNoDistribution) {
  EXPECT_FALSE(MakeCounts(Doubles{1, kInf}, Doubles{10, 40}, 40));
}

TEST(HistogramTest, OtherBoundsThanMostHaveAreNotComparable) {
  const BucketCounts usual{.bounds = {1, 2, 4, 8}, .at_most = {1, 2, 3, 4}, .total = 4};
  const BucketCounts finer{.bounds = {1, 1.5, 2, 4}, .at_most = {1, 2, 3, 4}, .total = 4};
  const BucketCounts other{.bounds = {1, 3, 5, 7}, .at_most = {1, 2, 3, 4}, .total = 4};
  EXPECT_EQ(FindComparable(std::vector{usual, usual}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(FindComparable(std::vector{other, usual, finer, usual}),
            (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_TRUE(FindComparable({}).empty());
}

TEST(HistogramTest, BoundsOfOthersAreLeftOut) {
  const BucketCounts a{.bounds = {1, 2, 4}, .at_most = {1, 2, 3}, .total = 4};
  const BucketCounts b{.bounds = {1, 3, 4}, .at_most = {1, 2, 3}, .total = 4};
  const std::vector<const BucketCounts*> all = {&a, &b};
  EXPECT_EQ(CommonBounds(all), (Doubles{1, 4}));
  EXPECT_EQ(Shares(a, Doubles{1, 4}), (Doubles{0.25, 0.75}));
}

TEST(HistogramTest, MeanOfEvenlySpreadRequests) {
  EXPECT_DOUBLE_EQ(MeanOf(Doubles{10}, Doubles{1}), 5);
  EXPECT_DOUBLE_EQ(MeanOf(Doubles{10, 20}, Doubles{0.5, 1}), 10);
  // Those above all bounds lie on the last one.
  EXPECT_DOUBLE_EQ(MeanOf(Doubles{10, 20}, Doubles{0, 0}), 20);
}

TEST(HistogramTest, DistanceIsTheIntegralBetweenBothLines) {
  const Doubles bounds = {1, 2};
  EXPECT_DOUBLE_EQ(DistanceOf(bounds, Doubles{1, 1}, Doubles{0, 1}), 1);
  EXPECT_DOUBLE_EQ(DistanceOf(bounds, Doubles{1, 1}, Doubles{1, 1}), 0);
  // They cross in the middle of the second bucket.
  EXPECT_DOUBLE_EQ(DistanceOf(bounds, Doubles{0.5, 0.5}, Doubles{0.25, 0.75}), 0.25);
}

TEST(HistogramTest, TailIsADistributionOfItsOwn) {
  EXPECT_EQ(TailShares(Doubles{0.5, 0.9375, 1}, 0.125), (Doubles{0, 0.5, 1}));
}

TEST(HistogramTest, QuantilesLieWithinBuckets) {
  const Doubles bounds = {1, 2, 4};
  const Doubles shares = {0.5, 0.75, 0.875};
  EXPECT_DOUBLE_EQ(QuantileOf(bounds, shares, 0.25), 0.5);
  EXPECT_DOUBLE_EQ(QuantileOf(bounds, shares, 0.8125), 3);
  EXPECT_DOUBLE_EQ(QuantileOf(bounds, shares, 0.99), 4);
}

TEST(HistogramTest, MedianIsTakenAtEachBound) {
  const std::vector<Doubles> all = {{0.1, 0.9}, {0.2, 0.8}, {0.9, 1}};
  EXPECT_EQ(MedianShares(all), (Doubles{0.2, 0.9}));
}

// Any increases, in any order of bounds: shares that ascend from 0 to 1, or nothing.
RC_GTEST_PROP(HistogramTest, CountsAreADistribution, (const std::vector<std::uint16_t>& rises)) {
  Doubles bounds;
  Doubles increases;
  for (const auto rise : rises) {
    bounds.push_back(static_cast<double>(bounds.size()) + 0.5);
    increases.push_back(rise);
  }
  bounds.push_back(kInf);
  increases.push_back(rises.empty() ? 0 : increases.back());
  const auto counts = MakeCounts(bounds, increases, increases.back());
  if (!counts || counts->total == 0) {
    return;
  }
  const auto shares = Shares(*counts, counts->bounds);
  RC_ASSERT(std::is_sorted(shares.begin(), shares.end()));
  RC_ASSERT(shares.front() >= 0 && shares.back() <= 1);
  for (const double tail : {1.0, 0.1, 0.01}) {
    const auto slowest = TailShares(shares, tail);
    RC_ASSERT(std::is_sorted(slowest.begin(), slowest.end()));
    RC_ASSERT(MeanOf(counts->bounds, slowest) >= MeanOf(counts->bounds, shares) - 1e-9);
    RC_ASSERT(MeanOf(counts->bounds, slowest) <= counts->bounds.back() + 1e-9);
  }
  RC_ASSERT(QuantileOf(counts->bounds, shares, 0.5) <= QuantileOf(counts->bounds, shares, 0.99));
}

}  // namespace
}  // namespace limpet::histogram_test
