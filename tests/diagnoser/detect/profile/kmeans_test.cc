#include "diagnoser/detect/profile/kmeans.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace limpet::kmeans_test {
namespace {

using ::testing::ElementsAre;

TEST(KMeans, FindsThreeHeaps) {
  const Points points{.dimensions = 1, .values = {0, 1, 2, 100, 101, 102, 200, 201, 202}};
  const auto found = KMeans(points, 3, 7);
  auto centres = found.centres.values;
  std::sort(centres.begin(), centres.end());
  EXPECT_THAT(centres, ElementsAre(1, 101, 201));
  EXPECT_DOUBLE_EQ(found.distortion, 6);  // two points a heap, one away each
}

TEST(KMeans, TheDistortionIsTheSumOverAllDimensions) {
  const Points points{.dimensions = 2, .values = {0, 0, 2, 4}};
  EXPECT_DOUBLE_EQ(KMeans(points, 1, 1).distortion, 6);  // centre (1, 2)
}

TEST(KMeans, TheSameSeedGivesTheSame) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Points points{.dimensions = 3, .values = {}};
  for (int i = 0; i < 900; ++i) {
    points.values.push_back(normal(random));
  }
  EXPECT_EQ(KMeans(points, 4, 11).labels, KMeans(points, 4, 11).labels);
  EXPECT_LE(KMeans(points, 4, 11, 5).distortion, KMeans(points, 4, 11, 1).distortion);
}

TEST(KMeans, MoreClustersThanDifferentPointsDoNoHarm) {
  const Points points{.dimensions = 1, .values = {5, 5, 5, 9}};
  const auto found = KMeans(points, 3, 1);
  EXPECT_DOUBLE_EQ(found.distortion, 0);
}

}  // namespace
}  // namespace limpet::kmeans_test
