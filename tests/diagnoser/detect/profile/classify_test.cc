#include "diagnoser/detect/profile/classify.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limpet::classify_test {
namespace {

// A narrow profile at 0 and a wide one at 4, both in one dimension.
ProfileModel Model() {
  return {.metrics = {HostMetric::kUser},
          .sigma = {1},
          .profiles = {{.mean = {0}, .covariance = {1}}, {.mean = {4}, .covariance = {9}}}};
}

std::size_t LabelOf(double x) { return Classifier(Model()).Classify(std::span(&x, 1)).label; }

// Scores at x: -x^2/2 and -ln 3 - (x-4)^2/18. At 1.5: -1.125 against -1.446; at 2: -2 against
// -1.32.
TEST(Classify, TakesTheLikelierProfileNotTheNearerMean) {
  EXPECT_EQ(LabelOf(0), 1U);
  EXPECT_EQ(LabelOf(1.5), 1U);
  EXPECT_EQ(LabelOf(2), 2U);
  EXPECT_EQ(LabelOf(-3.5), 2U);  // -6.1 against -4.2: the wide one again
}

// sqrt of the 0.999 quantile: 3.29 for one dimension, 6.01 for fourteen.
TEST(Classify, FarFromEveryProfileIsUnknown) {
  EXPECT_NEAR(Classifier(Model()).Limit(), 3.2905, 1e-4);
  EXPECT_EQ(LabelOf(4 + 3 * 3.28), 2U);
  EXPECT_EQ(LabelOf(4 + 3 * 3.30), 3U);
  auto wide = Model();
  wide.profiles.resize(1);
  wide.metrics.clear();
  for (std::size_t i = 0; i < kHostMetrics; ++i) {
    wide.metrics.push_back(static_cast<HostMetric>(i));
  }
  wide.sigma.assign(14, 1.0);
  wide.profiles[0] = {.mean = std::vector<double>(14, 0.0),
                      .covariance = std::vector<double>(196, 0.0)};
  for (std::size_t i = 0; i < 14; ++i) {
    wide.profiles[0].covariance[15 * i] = 1;
  }
  EXPECT_NEAR(Classifier(wide).Limit(), 6.0103, 1e-4);
}

// S = [[4, 2], [2, 3]], x - mu = (2, 3): D^2 = (3*4 - 2*2*6 + 4*9) / 8 = 3.
TEST(Classify, TheDistanceIsMahalanobis) {
  const Classifier classifier({.metrics = {HostMetric::kUser, HostMetric::kSystem},
                               .sigma = {1, 1},
                               .profiles = {{.mean = {1, 1}, .covariance = {4, 2, 2, 3}}}});
  EXPECT_NEAR(classifier.Classify(std::vector<double>{3, 4}).distance, std::sqrt(3.0), 1e-12);
}

TEST(Classify, WhatIsNotANumberIsUnknown) {
  EXPECT_EQ(LabelOf(std::nan("")), 3U);
  EXPECT_EQ(LabelOf(1e200), 3U);
}

}  // namespace
}  // namespace limpet::classify_test
