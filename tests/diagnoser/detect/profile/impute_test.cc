#include "diagnoser/detect/profile/impute.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "diagnoser/detect/profile/host_imputer.h"
#include "diagnoser/metrics/missing.h"
#include "tests/support/impute_all.h"

namespace limpet::impute_test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using testing::ImputeAll;

constexpr double kNone = kMissing;

// The line of weighted least squares at t, from the formula alone.
double Slow(const std::vector<double>& samples, std::size_t t) {
  std::vector<double> distances;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    if (!IsMissing(samples[s])) {
      distances.push_back(std::abs(static_cast<double>(s) - static_cast<double>(t)));
    }
  }
  std::sort(distances.begin(), distances.end());
  const double h = distances[2];
  double w = 0;
  double wx = 0;
  double wy = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const double x = static_cast<double>(s) - static_cast<double>(t);
    if (!IsMissing(samples[s]) && std::abs(x) <= 10 * h) {
      const double weight = std::exp(-x * x / (2 * h * h));
      w += weight;
      wx += weight * x;
      wy += weight * samples[s];
    }
  }
  double covariance = 0;
  double variance = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const double x = static_cast<double>(s) - static_cast<double>(t);
    if (!IsMissing(samples[s]) && std::abs(x) <= 10 * h) {
      const double weight = std::exp(-x * x / (2 * h * h));
      covariance += weight * (x - wx / w) * (samples[s] - wy / w);
      variance += weight * (x - wx / w) * (x - wx / w);
    }
  }
  return std::max(0.0, wy / w - covariance / variance * wx / w);
}

TEST(Impute, PutsAHoleOnTheLineOfItsNeighbours) {
  EXPECT_THAT(ImputeAll(std::vector<double>{1, 2, kNone, 4, 5}),
              ElementsAre(1, 2, DoubleNear(3, 1e-12), 4, 5));
}

// t = 2: the distances are 1, 1 and 2, so h = 2; weights e^-1/8, e^-1/8, e^-1/2, e^-1/2.
TEST(Impute, WeighsNearerNeighboursMore) {
  const double near = std::exp(-1.0 / 8);
  const double far = std::exp(-1.0 / 2);
  const auto filled = ImputeAll(std::vector<double>{10, 4, kNone, 4, 10});
  EXPECT_NEAR(filled[2], (2 * near * 4 + 2 * far * 10) / (2 * near + 2 * far), 1e-12);
}

// The line through a far peak and zeros passes -1.17 at second 5.
TEST(Impute, NeverGoesBelowNothing) {
  const std::vector<double> samples = {100, 0, 0, kNone, kNone, kNone, 0};
  EXPECT_LT(0, ImputeAll(samples)[4]);
  EXPECT_EQ(ImputeAll(samples)[5], 0);
}

TEST(Impute, LeavesTheEndsMissing) {
  const auto filled = ImputeAll(std::vector<double>{kNone, 1, 1, 1, 1, kNone});
  EXPECT_TRUE(IsMissing(filled.front()));
  EXPECT_TRUE(IsMissing(filled.back()));
}

TEST(Impute, FillsThirtySecondsAndNotThirtyOne) {
  for (const std::size_t gap : {kLongestGap, kLongestGap + 1}) {
    std::vector<double> samples(300, 7.0);
    std::fill_n(samples.begin() + 100, gap, kNone);
    const auto filled = ImputeAll(samples);
    for (std::size_t t = 100; t < 100 + gap; ++t) {
      if (gap == kLongestGap) {
        EXPECT_NEAR(filled[t], 7, 1e-12);
      } else {
        EXPECT_TRUE(IsMissing(filled[t]));
      }
    }
  }
}

TEST(Impute, NeedsThreeSamplesNearby) {
  const auto filled = ImputeAll(std::vector<double>{1, kNone, 1});
  EXPECT_TRUE(IsMissing(filled[1]));
}

TEST(Impute, EqualsTheFormula) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> value(0, 100);
  std::vector<double> samples;
  for (int i = 0; i < 400; ++i) {
    samples.push_back(value(random));
  }
  auto holes = samples;
  for (const auto& [from, length] : {std::pair{30, 1}, {35, 3}, {60, 17}, {120, 30}, {300, 5}}) {
    std::fill_n(holes.begin() + from, length, kNone);
  }
  const auto filled = ImputeAll(holes);
  for (std::size_t t = 0; t < holes.size(); ++t) {
    EXPECT_NEAR(filled[t], IsMissing(holes[t]) ? Slow(holes, t) : holes[t], 1e-9) << t;
  }
}

TEST(Imputer, WaitsUntilNothingCanChangeASecond) {
  Imputer imputer;
  for (int i = 0; i < 5; ++i) {
    imputer.Put(1);
    EXPECT_EQ(imputer.Next(), 1);
  }
  imputer.Put(kNone);
  EXPECT_EQ(imputer.Next(), std::nullopt);
  // h is 2 (seconds 1, 1 and 2 away), so samples up to 20 s later count.
  for (int i = 0; i < 19; ++i) {
    imputer.Put(1);
    EXPECT_EQ(imputer.Next(), std::nullopt) << i;
  }
  imputer.Put(1);
  EXPECT_NEAR(imputer.Next().value(), 1, 1e-12);
}

TEST(Imputer, SaysAfterThirtySecondsThatAGapStays) {
  Imputer imputer;
  imputer.Put(1);
  EXPECT_EQ(imputer.Next(), 1);
  for (int i = 0; i < 30; ++i) {
    imputer.Put(kNone);
    EXPECT_EQ(imputer.Next(), std::nullopt);
  }
  imputer.Put(kNone);
  EXPECT_TRUE(IsMissing(imputer.Next().value()));
}

TEST(HostImputer, AMetricThatIsNeverThereHoldsUpNobody) {
  HostImputer imputer;
  auto sample = MissingHostSample();
  sample[0] = 5;
  imputer.Put(sample);
  ASSERT_TRUE(imputer.Ready());
  const auto taken = imputer.Next();
  EXPECT_EQ(taken[0], 5);
  EXPECT_TRUE(IsMissing(taken[1]));
  EXPECT_FALSE(imputer.Ready());
}

}  // namespace
}  // namespace limpet::impute_test
