#include "diagnoser/detect/degree.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace limpet {
namespace {

using ::testing::ElementsAre;

std::vector<double> DegreesOnLine(const std::vector<double>& places) {
  return DegreesOf(places.size(),
                   [&](std::size_t i, std::size_t j) { return std::abs(places[i] - places[j]); });
}

TEST(Degree, IsTheDistanceToMoreThanHalf) {
  // n = 4, m = 2: the second largest of three. 9 is 7, 8 and 9 away from the others.
  EXPECT_THAT(DegreesOnLine({0, 1, 2, 9}), ElementsAre(2, 1, 2, 8));
  // n = 3, m = 2: the smaller of two.
  EXPECT_THAT(DegreesOnLine({0, 1, 9}), ElementsAre(1, 1, 8));
}

TEST(Degree, OfOneIsNothing) {
  EXPECT_THAT(DegreesOnLine({}), ElementsAre());
  EXPECT_THAT(DegreesOnLine({5}), ElementsAre(0));
}

TEST(Degree, ExceedsAThresholdExactlyWhenMoreThanHalfOfTheDistancesDo) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const auto n = std::uniform_int_distribution<std::size_t>(2, 12)(random);
    std::vector<double> places(n);
    for (double& place : places) {
      place = static_cast<double>(std::uniform_int_distribution<int>(0, 10)(random));
    }
    const double threshold = std::uniform_int_distribution<int>(0, 10)(random);
    const auto degrees = DegreesOnLine(places);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t over = 0;
      for (std::size_t j = 0; j < n; ++j) {
        over += j != i && std::abs(places[i] - places[j]) > threshold ? 1U : 0U;
      }
      ASSERT_EQ(degrees[i] > threshold, 2 * over > n - 1) << "round " << round;
    }
  }
}

TEST(Degree, DoesNotDependOnTheOrderOfPeers) {
  const auto forward = DegreesOnLine({0, 1, 2, 9, 4});
  const auto backward = DegreesOnLine({4, 9, 2, 1, 0});
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(forward[i], backward[4 - i]);
  }
}

TEST(Degree, RowByRowGivesTheSame) {
  // 2,100 components do not go through the matrix.
  std::vector<double> places;
  for (int i = 0; i < 2100; ++i) {
    places.push_back(i % 7);
  }
  places.push_back(1000);
  const auto degrees = DegreesOnLine(places);
  EXPECT_EQ(degrees.back(), 997);
  EXPECT_LE(degrees.front(), 6);
}

TEST(Direction, OfNearMeansIsNone) {
  EXPECT_EQ(DirectionOf(1, 1 + 1e-12), Direction::kNone);
  EXPECT_EQ(DirectionOf(2, 1), Direction::kHigh);
  EXPECT_EQ(DirectionOf(1, 2), Direction::kLow);
}

}  // namespace
}  // namespace limpet
