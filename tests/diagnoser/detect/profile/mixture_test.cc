#include "diagnoser/detect/profile/mixture.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>

namespace limpet::mixture_test {
namespace {

Clustering OneCluster(const Points& points) {
  return {.centres = {.dimensions = points.dimensions,
                      .values = std::vector<double>(points.dimensions, 0.0)},
          .labels = std::vector<std::size_t>(points.size(), 0),
          .distortion = 0};
}

// Mean (1, 2); covariances 1/n sum: var 2/3 and 8/3, cov 4/3, and the ridge.
TEST(Mixture, OneProfileIsTheMeanAndCovarianceOfAllPoints) {
  const Points points{.dimensions = 2, .values = {0, 0, 1, 2, 2, 4}};
  const auto mixture = FitMixture(points, OneCluster(points));
  ASSERT_EQ(mixture.profiles.size(), 1U);
  const auto& profile = mixture.profiles[0];
  EXPECT_DOUBLE_EQ(profile.mean[0], 1);
  EXPECT_DOUBLE_EQ(profile.mean[1], 2);
  EXPECT_NEAR(profile.covariance[0], 2.0 / 3 + 1e-3, 1e-15);
  EXPECT_NEAR(profile.covariance[1], 4.0 / 3, 1e-15);
  EXPECT_NEAR(profile.covariance[3], 8.0 / 3 + 1e-3, 1e-15);
}

// -(ln 2 pi + ln v + x^2 / v) / 2 over -1 and 1, v = 1 + 1e-3.
TEST(Mixture, TheLogLikelihoodIsThatOfTheDensity) {
  const Points points{.dimensions = 1, .values = {-1, 1}};
  const double v = 1.001;
  EXPECT_NEAR(FitMixture(points, OneCluster(points)).log_likelihoods.front(),
              -(std::log(2 * std::numbers::pi * v) + 1 / v), 1e-12);
}

TEST(Mixture, PriorsStayEqualHoweverUnevenTheHeaps) {
  // 90 points around 0 and 10 around 8 with the same spread: with equal priors the border lies in
  // the middle, and both means are those of their heaps.
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  Points points{.dimensions = 1, .values = {}};
  for (int i = 0; i < 1000; ++i) {
    points.values.push_back(normal(random) + (i % 10 == 0 ? 8 : 0));
  }
  const auto mixture = FitMixture(points, KMeans(points, 2, 1));
  const double low = std::min(mixture.profiles[0].mean[0], mixture.profiles[1].mean[0]);
  const double high = std::max(mixture.profiles[0].mean[0], mixture.profiles[1].mean[0]);
  EXPECT_NEAR(low, 0, 0.15);
  EXPECT_NEAR(high, 8, 0.3);
}

TEST(Mixture, TheLogLikelihoodNeverFalls) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> heap(0, 3);
    const std::size_t size = 1 + seed % 5;
    Points points{.dimensions = size, .values = {}};
    for (int i = 0; i < 400; ++i) {
      const int which = heap(random);
      for (std::size_t d = 0; d < size; ++d) {
        // Some dimensions do not vary inside a heap: there only the ridge keeps the covariance.
        points.values.push_back(which * (d % 2 == 0 ? 1.5 : 0.7) + (d == 1 ? 0.0 : normal(random)));
      }
    }
    for (const double ridge : {1e-3, 1e-9}) {
      const auto mixture =
          FitMixture(points, KMeans(points, 4, seed, 1), {.ridge = ridge, .tolerance = 1e-12});
      ASSERT_EQ(mixture.restarts, 0U);
      for (std::size_t i = 1; i < mixture.log_likelihoods.size(); ++i) {
        EXPECT_GE(mixture.log_likelihoods[i], mixture.log_likelihoods[i - 1]) << seed;
      }
    }
  }
}

// The second centre lies where no point is.
TEST(Mixture, AnEmptyProfileBeginsAgainAtTheFarthestPoint) {
  Points points{.dimensions = 1, .values = {}};
  for (int i = 0; i < 50; ++i) {
    points.values.push_back(0.01 * i);
  }
  points.values.insert(points.values.end(), 20, 30.0);
  Clustering start{.centres = {.dimensions = 1, .values = {0.2, 1e4}},
                   .labels = std::vector<std::size_t>(points.size(), 0),
                   .distortion = 0};
  const auto mixture = FitMixture(points, start);
  EXPECT_GE(mixture.restarts, 1U);
  const double high = std::max(mixture.profiles[0].mean[0], mixture.profiles[1].mean[0]);
  EXPECT_NEAR(high, 30, 1e-6);
}

// Equal priors and covariances: were their means equal as well, they would stay so for ever.
TEST(Mixture, TwoEmptyProfilesBeginAtDifferentPoints) {
  Points points{.dimensions = 1, .values = {}};
  for (int i = 0; i < 50; ++i) {
    points.values.push_back(0.01 * i);
  }
  points.values.insert(points.values.end(), {30.0, 60.0});
  const Clustering start{.centres = {.dimensions = 1, .values = {0.2, 1e4, 2e4}},
                         .labels = std::vector<std::size_t>(points.size(), 0),
                         .distortion = 0};
  const auto mixture = FitMixture(points, start);
  EXPECT_GE(mixture.restarts, 2U);
  EXPECT_GT(std::abs(mixture.profiles[1].mean[0] - mixture.profiles[2].mean[0]), 1);
}

}  // namespace
}  // namespace limpet::mixture_test
