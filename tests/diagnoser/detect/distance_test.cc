#include "diagnoser/detect/distance.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/slow_peers.h"

namespace limpet {
namespace {

using ::testing::ElementsAre;
using Values = std::vector<double>;

Values Sorted(Values values) {
  std::sort(values.begin(), values.end());
  return values;
}

Values RandomValues(std::mt19937& random, std::size_t count) {
  Values values;
  std::uniform_int_distribution<int> coarse(0, 20);  // ties are wanted
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(coarse(random) / 4.0);
  }
  return Sorted(std::move(values));
}

TEST(Kl, ARowHoldsProbabilitiesAndTheirLogarithms) {
  // m = 3, B = 2: the halves make it 3.5/4 and 0.5/4.
  EXPECT_THAT(KlRow(Values{3, 0}), ElementsAre(0.875, std::log(0.875), 0.125, std::log(0.125)));
}

TEST(Cdf, CumulativeIsNormalised) {
  EXPECT_THAT(CumulativeOf(Values{1, 0, 3}), ElementsAre(0.25, 0.25, 1));
}

TEST(Wasserstein, ByHand) {
  EXPECT_EQ(WassersteinOfSorted(Values{1, 2, 3}, Values{2, 3, 4}), 1);
  EXPECT_EQ(WassersteinOfSorted(Values{0, 10}, Values{0, 0}), 5);
  // F of {0, 3} against {1}: 1/2 on [0,1) and 1/2 on [1,3).
  EXPECT_EQ(WassersteinOfSorted(Values{0, 3}, Values{1}), 1.5);
  EXPECT_DOUBLE_EQ(WassersteinOfSorted(Values{0, 0, 3}, Values{0, 3}), 0.5);
}

TEST(Wasserstein, DoublingEverySampleChangesNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    const auto a = RandomValues(random, 13);
    const auto b = RandomValues(random, 13);
    auto twice = a;
    twice.insert(twice.end(), a.begin(), a.end());
    EXPECT_NEAR(WassersteinOfSorted(Sorted(twice), b), WassersteinOfSorted(a, b), 1e-12);
  }
}

TEST(Wasserstein, MovesWithAShiftOfOneSideOnly) {
  const Values a = {1, 4, 4, 9};
  Values b = {2, 3, 7, 8};
  Values moved_a = a;
  for (double& x : moved_a) {
    x += 100;
  }
  Values moved_b = b;
  for (double& x : moved_b) {
    x += 100;
  }
  EXPECT_DOUBLE_EQ(WassersteinOfSorted(moved_a, moved_b), WassersteinOfSorted(a, b));
  EXPECT_DOUBLE_EQ(WassersteinOfSorted(moved_a, a), 100);
}

TEST(Wasserstein, AgreesWithTheIntegralAndIsAMetric) {
  std::mt19937 random(2);
  std::uniform_int_distribution<std::size_t> count(1, 40);
  for (int round = 0; round < 500; ++round) {
    const auto a = RandomValues(random, count(random));
    const auto b = RandomValues(random, count(random));
    const auto c = RandomValues(random, count(random));
    const double ab = WassersteinOfSorted(a, b);
    ASSERT_NEAR(ab, testing::SlowWasserstein(a, b), 1e-10);
    ASSERT_NEAR(ab, WassersteinOfSorted(b, a), 1e-12);
    ASSERT_LE(ab, WassersteinOfSorted(a, c) + WassersteinOfSorted(c, b) + 1e-10);
    ASSERT_EQ(WassersteinOfSorted(a, a), 0);
  }
}

}  // namespace
}  // namespace limpet
