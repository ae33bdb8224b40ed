#include "diagnoser/series/stats.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <vector>

namespace limpet {
namespace {

TEST(Stats, MedianOfAnEvenCountIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(Median({7}), 7);
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isfinite(Median({1e308, 1e308})));
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

}  // namespace
}  // namespace limpet
