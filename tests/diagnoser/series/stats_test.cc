#include "diagnoser/series/stats.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace limpet::stats_test {
namespace {

using ::testing::ElementsAre;

TEST(SortedMedian, IsTheMedianOfWhatIsSorted) {
  for (const std::vector<double>& values : {std::vector<double>{3},
                                            {1, 4},
                                            {1, 2, 9},
                                            {1, 2, 4, 9},
                                            {-1e308, 1e308, 1.7e308, 1.7e308}}) {
    EXPECT_EQ(SortedMedian(values), Median(values));
  }
}

TEST(Stats, MedianOfAnEvenCountIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(Median({7}), 7);
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isfinite(Median({1e308, 1e308})));
}

TEST(Stats, TheMiddleTwoAreInOrder) {
  EXPECT_THAT(MiddleTwo({7}), ElementsAre(7, 7));
  EXPECT_THAT(MiddleTwo({3, 1, 2}), ElementsAre(2, 2));
  EXPECT_THAT(MiddleTwo({4, 1, 3, 2}), ElementsAre(2, 3));
}

TEST(Stats, QuantilesAreOfTypeSeven) {
  const std::vector<double> sorted = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(SortedQuantile(sorted, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(SortedQuantile(sorted, 0.75), 3.25);
  EXPECT_DOUBLE_EQ(SortedIqr(sorted), 1.5);
  EXPECT_EQ(SortedQuantile(sorted, 1), 4);
  EXPECT_EQ(SortedIqr(std::vector<double>{5}), 0);
}

TEST(Stats, NearIsRelative) {
  EXPECT_TRUE(Near(1e12, 1e12 + 900));
  EXPECT_FALSE(Near(1e12, 1e12 + 1100));
  EXPECT_TRUE(Near(0, 0));
  EXPECT_FALSE(Near(0, 1e-300));
}

TEST(Stats, TheSpreadOfAnyOrderIsThatOfTheSorted) {
  std::mt19937 random(1);
  for (std::size_t n = 1; n < 60; ++n) {
    std::vector<double> values(n);
    std::generate(values.begin(), values.end(), [&] { return static_cast<double>(random() % 20); });
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(Iqr(values), SortedIqr(sorted)) << n;
  }
}

TEST(Stats, MedianScatterIsAStandardDeviationThatOneFarValueDoesNotChangeMuch) {
  EXPECT_EQ(MedianScatter({5}), 0);
  EXPECT_DOUBLE_EQ(MedianScatter({1, 2, 3, 4, 1000}), 1.4826);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(100, 7);
  std::vector<double> values(10'001);
  std::ranges::generate(values, [&] { return normal(random); });
  EXPECT_NEAR(MedianScatter(values), 7, 0.3);
}

TEST(Stats, PairScatterIsAStandardDeviationToo) {
  EXPECT_EQ(PairScatter({}), 0);
  EXPECT_EQ(PairScatter({5}), 0);
  EXPECT_EQ(PairScatter({5, 5, 5, 9}), 0);
  // Of the ten differences the third: 1.
  EXPECT_DOUBLE_EQ(PairScatter({1, 2, 3, 4, 1000}), 2.2219 * 0.844);
  std::mt19937_64 random(7);
  for (const std::size_t n : {3U, 4U, 6U, 9U, 12U, 501U}) {
    std::normal_distribution<double> normal(100, 7);
    double sum = 0;
    constexpr int kTimes = 2000;
    for (int i = 0; i < kTimes; ++i) {
      std::vector<double> values(n);
      std::ranges::generate(values, [&] { return normal(random); });
      sum += PairScatter(std::move(values));
    }
    EXPECT_NEAR(sum / kTimes, 7, 0.2) << n;
  }
}

TEST(Stats, PairScatterIsThatWithinTheHalvesWhenTheyLieFarApart) {
  EXPECT_LT(PairScatter({0, 1, 1000, 1001}), 3);
  EXPECT_LT(PairScatter({0, 1, 2, 1000, 1001, 1002}), 3);
  EXPECT_GT(MedianScatter({0, 1, 2, 1000, 1001, 1002}), 700);
}

TEST(Stats, PairScatterIsTheDifferenceItSays) {
  std::mt19937_64 random(8);
  std::uniform_int_distribution<int> digit(0, 9);
  for (std::size_t i = 0; i < 300; ++i) {
    std::vector<double> values(2 + i % 30);
    std::ranges::generate(values, [&] { return digit(random); });
    std::vector<double> differences;
    for (std::size_t a = 0; a < values.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        differences.push_back(std::abs(values[a] - values[b]));
      }
    }
    std::ranges::sort(differences);
    const auto half = values.size() / 2 + 1;
    const double exact = differences[values.size() == 4 ? 1 : half * (half - 1) / 2 - 1];
    const double found = PairScatter(values);
    EXPECT_EQ(found == 0, exact == 0);
    EXPECT_LE(found, 2.2219 * exact);
    EXPECT_GE(found, 2.2219 * 0.39 * exact);
  }
}

}  // namespace
}  // namespace limpet::stats_test
