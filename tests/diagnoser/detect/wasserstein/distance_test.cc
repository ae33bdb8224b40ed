#include "diagnoser/detect/wasserstein/distance.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace limpet::distance_test {
namespace {

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

TEST(Wasserstein, ByHand) {
  EXPECT_EQ(WassersteinDistance(Values{1, 2, 3}, Values{2, 3, 4}), 1);
  EXPECT_EQ(WassersteinDistance(Values{0, 10}, Values{0, 0}), 5);
  // F of {0, 3} against {1}: 1/2 on [0,1) and 1/2 on [1,3).
  EXPECT_EQ(WassersteinDistance(Values{0, 3}, Values{1}), 1.5);
  EXPECT_DOUBLE_EQ(WassersteinDistance(Values{0, 0, 3}, Values{0, 3}), 0.5);
}

TEST(Wasserstein, DoublingEverySampleChangesNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    const auto a = RandomValues(random, 13);
    const auto b = RandomValues(random, 13);
    auto twice = a;
    twice.insert(twice.end(), a.begin(), a.end());
    EXPECT_NEAR(WassersteinDistance(Sorted(twice), b), WassersteinDistance(a, b), 1e-12);
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
  EXPECT_DOUBLE_EQ(WassersteinDistance(moved_a, moved_b), WassersteinDistance(a, b));
  EXPECT_DOUBLE_EQ(WassersteinDistance(moved_a, a), 100);
}

// The definition: the integral of |F - G|, by a sum over all places where either steps.
double SlowWasserstein(const Values& a, const Values& b) {
  Values places = a;
  places.insert(places.end(), b.begin(), b.end());
  std::sort(places.begin(), places.end());
  double sum = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const auto below = [&](const Values& values) {
      return static_cast<double>(std::count_if(values.begin(), values.end(),
                                               [&](double x) { return x <= places[i - 1]; })) /
             static_cast<double>(values.size());
    };
    sum += std::abs(below(a) - below(b)) * (places[i] - places[i - 1]);
  }
  return sum;
}

TEST(Wasserstein, AgreesWithASlowVersionAndIsAMetric) {
  std::mt19937 random(2);
  std::uniform_int_distribution<std::size_t> count(1, 40);
  for (int round = 0; round < 500; ++round) {
    const auto a = RandomValues(random, count(random));
    const auto b = RandomValues(random, count(random));
    const auto c = RandomValues(random, count(random));
    const double ab = WassersteinDistance(a, b);
    ASSERT_NEAR(ab, SlowWasserstein(a, b), 1e-10);
    ASSERT_NEAR(ab, WassersteinDistance(b, a), 1e-12);
    ASSERT_LE(ab, WassersteinDistance(a, c) + WassersteinDistance(c, b) + 1e-10);
    ASSERT_EQ(WassersteinDistance(a, a), 0);
  }
}

}  // namespace
}  // namespace limpet::distance_test
